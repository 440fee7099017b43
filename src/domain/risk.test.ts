import { describe, expect, it } from "vitest";
import { DENIAL_TEXTS } from "./denial.ts";
import type { AgentId, OrderId } from "./ids.ts";
import { MARKETS } from "./market.ts";
import type { OrderIntent } from "./order/order.ts";
import type { AccountState } from "./position.ts";
import { type RiskContext, approve } from "./risk.ts";
import { EMPTY_RISK_LEDGER, openRiskDay, recordOrderEnd } from "./risk-ledger.ts";
import { SIGNALS } from "./signal.ts";
import { isSignalFresh } from "./freshness.ts";
import { reasonText, tradeSide, tradeType } from "./trade-log.ts";
import { strictestOf } from "./trading-state.ts";

const account: AccountState = {
  slot: 1n,
  subAccountExists: true,
  positions: [],
  openOrderCount: 0,
  freeCollateral: 500_000_000n,
  portfolioValue: 500_000_000n,
  withdrawable: 500_000_000n,
  netDeposits: 500_000_000n,
  health: 100,
};

const buildIntent = (parts: Partial<OrderIntent> = {}): OrderIntent => ({
  orderId: "o" as OrderId,
  agentId: "a" as AgentId,
  signal: "OPEN_LONG",
  market: MARKETS[0]!,
  side: "long",
  reduceOnly: false,
  baseSize: 1_000_000_000n,
  referencePrice: 150_000_000n,
  slippageBps: 50,
  percentage: 100,
  ...parts,
});

const nowMs = 1_000_000;
const buildContext = (parts: Partial<RiskContext> = {}): RiskContext => ({
  nowMs,
  price: { price: 150_000_000n, confidence: 3_000_000n, publishedAtMs: nowMs - 30_000 },
  account,
  quoteDecimals: 6,
  isVenueAvailable: true,
  tradingState: "active",
  ledger: { ...EMPTY_RISK_LEDGER, day: "2026-11-21", portfolioAtDayStart: 500_000_000n },
  ordersLastMinute: 5,
  ordersLastHour: 59,
  ordersLastMinuteEverywhere: 299,
  isOwnersClosing: false,
  ...parts,
});

const priced = (confidence: bigint, ageMs: number) => ({
  price: { price: 150_000_000n, confidence, publishedAtMs: nowMs - ageMs },
});
const failedFive = { ...EMPTY_RISK_LEDGER, consecutiveFailures: 5 };
const lostTenth = {
  account: { ...account, portfolioValue: 450_000_000n },
  ledger: { ...EMPTY_RISK_LEDGER, day: "d", portfolioAtDayStart: 500_000_000n },
};
const closing = buildIntent({ reduceOnly: true, side: "short", signal: "CLOSE_LONG" });
const verdict = (intent: OrderIntent, context: Partial<RiskContext>) => {
  const result = approve(intent, buildContext(context));
  return result.kind === "denied" ? result.reason : result.kind;
};

describe("approve", () => {
  it("approves at the edge of every limit", () => {
    expect(approve(buildIntent(), buildContext())).toEqual({
      kind: "approved",
      intent: buildIntent(),
    });
  });

  it.each<[string, Partial<RiskContext>, string, string]>([
    ["a price 30.001 s old", priced(0n, 30_001), "stale_price", "stale_price"],
    ["a price from the future", priced(0n, -30_001), "stale_price", "stale_price"],
    ["no price", { price: null }, "stale_price", "stale_price"],
    ["confidence above 2 %", priced(3_000_001n, 0), "stale_price", "stale_price"],
    ["a 7th order in a minute", { ordersLastMinute: 6 }, "too_many_orders", "too_many_orders"],
    ["a 61st order in an hour", { ordersLastHour: 60 }, "too_many_orders", "too_many_orders"],
    [
      "a 301st order of all",
      { ordersLastMinuteEverywhere: 300 },
      "too_many_orders_everywhere",
      "too_many_orders_everywhere",
    ],
    ["a halted deployment", { tradingState: "halted" }, "trading_halted", "trading_halted"],
    ["a reducing agent", { tradingState: "reducing" }, "reducing_only", "approved"],
    ["a paused venue", { isVenueAvailable: false }, "venue_unavailable", "approved"],
    ["five failures in a row", { ledger: failedFive }, "trading_halted", "trading_halted"],
    ["a tenth lost today", lostTenth, "loss_limit", "approved"],
    [
      "too little collateral",
      { account: { ...account, freeCollateral: 149_999_999n } },
      "notional_exceeds_collateral",
      "approved",
    ],
  ])("with %s denies an entry or not, a closing or not", (_name, context, entry, exit) => {
    expect([verdict(buildIntent(), context), verdict(closing, context)]).toEqual([entry, exit]);
  });

  it("lets the owner's closing pass what is meant for runaway rules", () => {
    const context = {
      ordersLastMinute: 60,
      ordersLastHour: 600,
      ledger: failedFive,
      isOwnersClosing: true,
    };
    expect(verdict(closing, context)).toBe("approved");
    expect(verdict(closing, { ...context, tradingState: "halted" })).toBe("trading_halted");
  });

  it("denies sizes that are none", () => {
    expect(verdict(buildIntent({ baseSize: 0n }), {})).toBe("size_too_small");
  });
});

describe("risk ledger", () => {
  it("counts failures in a row and forgets them with a fill", () => {
    const failed = recordOrderEnd(recordOrderEnd(EMPTY_RISK_LEDGER, false), false);
    expect(failed.consecutiveFailures).toBe(2);
    expect(recordOrderEnd(failed, true).consecutiveFailures).toBe(0);
  });

  it("measures the day's loss from its start, without deposits and open positions", () => {
    const opened = openRiskDay(EMPTY_RISK_LEDGER, "2026-11-21", account);
    expect(openRiskDay(opened, "2026-11-21", { ...account, portfolioValue: 1n })).toBe(opened);
    const check = (changed: Partial<AccountState>) =>
      verdict(buildIntent({ baseSize: 1n }), {
        ledger: opened,
        account: { ...account, ...changed },
      });
    expect(check({ portfolioValue: 450_000_001n })).toBe("approved");
    expect(check({ portfolioValue: 450_000_000n })).toBe("loss_limit");
    expect(check({ portfolioValue: 350_000_000n, netDeposits: 400_000_000n })).toBe("loss_limit");
    expect(check({ portfolioValue: 400_000_000n, netDeposits: 400_000_000n })).toBe("approved");
    const openLoss = {
      marketId: "SOL-PERP",
      side: "long",
      baseSize: 1n,
      entryPrice: 1n,
      positionValue: 1n,
      unrealizedPnl: -60_000_000n,
    } as const;
    expect(check({ portfolioValue: 440_000_000n, positions: [openLoss] })).toBe("approved");
  });
});

describe("trade log words", () => {
  it("give every signal a side and a type", () => {
    expect(SIGNALS.map((signal) => `${tradeSide(signal)} ${tradeType(signal)}`)).toEqual([
      "long market",
      "short market",
      "sell market",
      "buy market",
      "other reset",
      "other reset",
      "other reset",
      "other reset",
    ]);
  });

  it("explain every denial in a sentence and leave a venue's own words alone", () => {
    for (const reason of Object.keys(DENIAL_TEXTS))
      expect(reasonText(reason)).toMatch(/^[A-Z].*\.$/);
    expect(reasonText("InsufficientCollateral")).toBe("InsufficientCollateral");
  });
});

describe("limits in time", () => {
  it("accept alerts from 300 s old to 60 s ahead, less when the agent says so", () => {
    const fresh = (ageMs: number, seconds = 300) =>
      isSignalFresh(1_000_000 - ageMs, 1_000_000, seconds);
    expect([fresh(300_000), fresh(300_001), fresh(-60_000), fresh(-60_001)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect([fresh(10_000, 10), fresh(10_001, 10), fresh(300_001, 9_999)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("let the strictest state win", () => {
    expect(strictestOf("active", "reducing")).toBe("reducing");
    expect(strictestOf("halted", "active", "reducing")).toBe("halted");
    expect(strictestOf()).toBe("active");
  });
});
