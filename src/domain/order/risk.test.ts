import { describe, expect, it } from "vitest";
import { parseAgentId, parseOrderId } from "../ids.ts";
import { allMarkets } from "../../venues/profiles.ts";
import type { OrderIntent } from "./order.ts";
import type { AccountState } from "../position.ts";
import { type RiskContext, approve, isExitPriceUsable, isPriceUsable } from "./risk.ts";
import {
  EMPTY_RISK_LEDGER,
  openRiskDay,
  recordOrderEnd,
  type RiskLedger,
  reducingByHistory,
} from "../risk-ledger.ts";
import { SIGNALS } from "../signal.ts";
import { isSignalFresh } from "../freshness.ts";
import { tradeSide, tradeType } from "./order-states.ts";
import { strictestOf } from "../trading-state.ts";
import { NO_OWNER_LIMITS } from "../../../test/owner-limits.ts";

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
  orderId: parseOrderId("1".repeat(32)),
  agentId: parseAgentId("a".repeat(32)),
  signal: "OPEN_LONG",
  market: allMarkets()[0]!,
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
  leverage: 1,
  tradingState: "active",
  ledger: { ...EMPTY_RISK_LEDGER, day: "2026-11-21", portfolioAtDayStart: 500_000_000n },
  ordersLastMinute: 5,
  ordersLastHour: 59,
  entriesLastMinuteOfOwner: 59,
  feesTodayOfOwner: 99_999_999n,
  feesTodayOfAll: 4_999_999_999n,
  ownersToday: 50,
  limits: NO_OWNER_LIMITS,
  walletMoney: null,
  ...parts,
});

const priced = (confidence: bigint, ageMs: number) => ({
  price: { price: 150_000_000n, confidence, publishedAtMs: nowMs - ageMs },
});
const failedFive = { ...EMPTY_RISK_LEDGER, consecutiveFailures: 5, failingSinceMs: 1 };
const openDay = (
  ...[ledger, atMs, state]: [ledger: RiskLedger, atMs: number, state: AccountState]
) => openRiskDay(ledger, atMs, state, NO_OWNER_LIMITS);
const lostTenth = {
  account: { ...account, portfolioValue: 450_000_000n },
  ledger: openDay(openDay(EMPTY_RISK_LEDGER, nowMs, account), nowMs, {
    ...account,
    portfolioValue: 450_000_000n,
  }),
};
const closing = buildIntent({ reduceOnly: true, side: "short", signal: "CLOSE_LONG" });
const verdict = (intent: OrderIntent, context: Partial<RiskContext>) => {
  const result = approve(intent, buildContext(context));
  return result.kind === "denied" ? result.reason : result.kind;
};

/** Returns each check as `name figure/limit unit`, with an exclamation mark where it failed. */
const reported = (intent: OrderIntent, context: Partial<RiskContext>) =>
  approve(intent, buildContext(context)).checks.map(({ name, figures, hasPassed }) =>
    [
      name,
      figures === null ? [] : `${figures.figure ?? "-"}/${figures.limit ?? "-"} ${figures.unit}`,
      hasPassed ? [] : "!",
    ]
      .flat()
      .join(" "),
  );

describe("approve", () => {
  it("approves an order exactly at every limit", () => {
    expect(approve(buildIntent(), buildContext())).toMatchObject({
      kind: "approved",
      intent: buildIntent(),
    });
  });

  it.each<[string, Partial<RiskContext>, string, string]>([
    ["a price 30.001 s old", priced(0n, 30_001), "stale_price", "approved"],
    ["a price from the future", priced(0n, -30_001), "stale_price", "approved"],
    ["a price five minutes old", priced(0n, 300_000), "stale_price", "approved"],
    ["a price older than that", priced(0n, 300_001), "stale_price", "stale_price"],
    ["no price", { price: null }, "stale_price", "stale_price"],
    ["confidence above 2 %", priced(3_000_001n, 0), "stale_price", "approved"],
    ["a 7th order in a minute", { ordersLastMinute: 6 }, "too_many_orders", "approved"],
    ["a 61st order in an hour", { ordersLastHour: 60 }, "too_many_orders", "approved"],
    [
      "a 61st entry of its owner",
      { entriesLastMinuteOfOwner: 60 },
      "too_many_orders_of_owner",
      "approved",
    ],
    ["0.1 SOL of fees today", { feesTodayOfOwner: 100_000_000n }, "fee_budget_used", "approved"],
    [
      "an equal share of the fees of all, which are used",
      { feesTodayOfOwner: 50_000_000n, feesTodayOfAll: 5_000_000_000n, ownersToday: 100 },
      "fee_budget_used",
      "approved",
    ],
    [
      "the least share among any number of owners",
      { feesTodayOfOwner: 1_000_000n, feesTodayOfAll: 50_000_000_000n, ownersToday: 1_000_000 },
      "fee_budget_used",
      "approved",
    ],
    ["a halted deployment", { tradingState: "halted" }, "trading_halted", "trading_halted"],
    ["a reducing agent", { tradingState: "reducing" }, "reducing_only", "approved"],
    ["a paused venue", { isVenueAvailable: false }, "venue_unavailable", "approved"],
    ["five failures in a row", { ledger: failedFive }, "failures", "approved"],
    ["a tenth lost today", lostTenth, "loss_limit", "approved"],
    [
      "too little collateral",
      { account: { ...account, freeCollateral: 149_999_999n } },
      "notional_exceeds_collateral",
      "approved",
    ],
  ])("with %s denies or allows an entry and a closing", (_name, context, entry, exit) => {
    expect([verdict(buildIntent(), context), verdict(closing, context)]).toEqual([entry, exit]);
  });

  it("reports each check of an entry with figure and limit", () => {
    expect(reported(buildIntent(), {})).toEqual([
      "trading_halted",
      "venue",
      "reducing",
      "failures 0/5 orders",
      "daily_loss 0/50000000 quote",
      "price_age 30000/30000 milliseconds",
      "price_certainty 3000000/3000000 price",
      "orders_a_minute 5/6 orders",
      "orders_an_hour 59/60 orders",
      "entries_of_owner 59/60 orders",
      "fees_of_owner 99999999/100000000 lamports",
      "size 1000000000/- base",
      "free_money 150000000/500000000 quote",
    ]);
  });

  it("reports the available checks of a closing, and every failed one", () => {
    expect(reported(closing, { price: null, tradingState: "halted" })).toEqual([
      "trading_halted !",
      "price_age -/300000 milliseconds !",
      "size 1000000000/- base",
    ]);
    const late = { ...priced(3_000_001n, 30_001), ordersLastMinute: 7 };
    expect(reported(buildIntent(), late).filter((line) => line.endsWith("!"))).toEqual([
      "price_age 30001/30000 milliseconds !",
      "price_certainty 3000001/3000000 price !",
      "orders_a_minute 7/6 orders !",
    ]);
  });

  it("denies invalid sizes", () => {
    expect(verdict(buildIntent({ baseSize: 0n }), {})).toBe("size_too_small");
    expect(verdict({ ...closing, baseSize: 0n }, {})).toBe("size_too_small");
  });
});

describe("limits set by the owner", () => {
  const limits = { ...NO_OWNER_LIMITS, fallBps: 1_000, lossesInRow: 3, tradesPerDay: 4 };
  const own = {
    ...EMPTY_RISK_LEDGER.own,
    peak: 500_000_000n,
    netDepositsSeen: 500_000_000n,
    lossesInRow: 2,
    entriesToday: 3,
  };
  const ledger = { ...buildContext().ledger, own };

  it("are reported with figure and limit when they are set", () => {
    const lines = reported(buildIntent(), { limits, ledger });
    expect(lines.slice(5, 8)).toEqual([
      "fall 0/50000000 quote",
      "losses_in_a_row 2/3 trades",
      "trades_a_day 3/4 trades",
    ]);
  });

  it.each([
    ["a fall", { account: { ...account, portfolioValue: 450_000_000n } }, "own_fall_limit"],
    [
      "a third loss",
      { ledger: { ...ledger, own: { ...own, lossesInRow: 3 } } },
      "own_losses_limit",
    ],
    [
      "a fifth entry",
      { ledger: { ...ledger, own: { ...own, entriesToday: 4 } } },
      "own_trades_limit",
    ],
  ])("deny an entry after %s and never a closing", (_name, context, reason) => {
    expect(verdict(buildIntent(), { limits, ledger, ...context })).toBe(reason);
    expect(verdict(closing, { limits, ledger, ...context })).toBe("approved");
  });

  it("count the order itself towards the share of its asset", () => {
    const share = (inAsset: bigint, baseSize = 1_000_000_000n) =>
      verdict(buildIntent({ baseSize }), {
        limits: { ...NO_OWNER_LIMITS, assetShareBps: 3_333 },
        // A third of 1000.000001, rounded down, is 333.300000
        walletMoney: { inAsset, total: 1_000_000_001n },
      });
    expect([share(183_300_000n), share(183_300_001n)]).toEqual(["approved", "own_asset_limit"]);
    expect(
      reported(buildIntent(), {
        limits: { ...NO_OWNER_LIMITS, assetShareBps: 5_000 },
        walletMoney: { inAsset: 1n, total: 400_000_000n },
      }).at(-1),
    ).toBe("asset_share 150000001/200000000 quote");
  });

  it("deny an entry when its asset's share is unknown", () => {
    const unknown = { limits: { ...NO_OWNER_LIMITS, assetShareBps: 10_000 }, walletMoney: null };
    expect(verdict(buildIntent(), unknown)).toBe("own_asset_limit");
    expect(reported(buildIntent(), unknown).at(-1)).toBe("asset_share -/0 quote !");
  });
});

describe("the price of an order", () => {
  const reading = (parts: object) => ({
    price: 150_000_000n,
    confidence: 0n,
    publishedAtMs: nowMs,
    ...parts,
  });
  it.each([
    ["none", null, false, false],
    ["zero", reading({ price: 0n }), false, false],
    ["below zero", reading({ price: -1n, confidence: -9n }), false, false],
    ["of now", reading({}), true, true],
    ["30 s old", reading({ publishedAtMs: nowMs - 30_000 }), true, true],
    ["30 s ahead", reading({ publishedAtMs: nowMs + 30_000 }), true, true],
    ["older than that", reading({ publishedAtMs: nowMs - 30_001 }), false, true],
    ["five minutes old", reading({ publishedAtMs: nowMs - 300_000 }), false, true],
    ["older still", reading({ publishedAtMs: nowMs - 300_001 }), false, false],
    ["2 % unsure", reading({ confidence: 3_000_000n }), true, true],
    ["less sure", reading({ confidence: 3_000_001n }), false, true],
  ])("%s is accepted or refused for an entry and for an exit", (_name, price, entry, exit) => {
    expect([isPriceUsable(price, nowMs), isExitPriceUsable(price, nowMs)]).toEqual([entry, exit]);
  });

  it("is reported as missing when the venue gave none or zero", () => {
    for (const price of [null, reading({ price: 0n })]) {
      expect(verdict(buildIntent(), { price })).toBe("stale_price");
      expect(reported(buildIntent(), { price }).filter((line) => line.includes("price"))).toEqual([
        "price_age -/30000 milliseconds !",
        "price_certainty -/- price !",
      ]);
    }
  });

  it("has acceptable confidence below 2 %, rounded down", () => {
    const price = (confidence: bigint) => ({
      price: { price: 99n, confidence, publishedAtMs: nowMs },
    });
    expect(reported(buildIntent(), price(1n))).toContain("price_certainty 1/1 price");
    expect(reported(buildIntent(), price(2n))).toContain("price_certainty 2/1 price !");
  });
});

describe("the money of an order", () => {
  it("may equal all of the free collateral", () => {
    const free = (freeCollateral: bigint) => ({ account: { ...account, freeCollateral } });
    expect(verdict(buildIntent(), free(150_000_000n))).toBe("approved");
    expect(verdict(buildIntent(), free(149_999_999n))).toBe("notional_exceeds_collateral");
  });

  it("is zero for an invalid size", () => {
    for (const baseSize of [0n, -1n]) {
      expect(reported(buildIntent({ baseSize }), {}).slice(-2)).toEqual([
        `size ${baseSize}/- base !`,
        "free_money 0/500000000 quote",
      ]);
    }
  });
});

const endOrder = (ledger: RiskLedger, hasTraded: boolean, atMs: number) =>
  recordOrderEnd(ledger, { hasTraded, isEntry: true }, atMs);

describe("risk ledger", () => {
  it("counts consecutive failures and resets the count with a fill", () => {
    let ledger = EMPTY_RISK_LEDGER;
    for (let at = 1; at <= 4; at += 1) ledger = endOrder(ledger, false, at);
    expect(reducingByHistory(ledger, 5, NO_OWNER_LIMITS)).toBeNull();
    ledger = endOrder(endOrder(ledger, false, 5), false, 6);
    expect(reducingByHistory(ledger, 7, NO_OWNER_LIMITS)).toEqual({
      reason: "failures",
      sinceMs: 5,
    });
    expect(endOrder(ledger, true, 8)).toEqual(EMPTY_RISK_LEDGER);
  });

  it("measures the day's loss from its start, excluding deposits and open positions", () => {
    const opened = openDay(EMPTY_RISK_LEDGER, nowMs, account);
    expect(openDay(opened, nowMs + 1, account)).toBe(opened);
    const lost = openDay(opened, nowMs + 2, { ...account, portfolioValue: 1n });
    expect(lost).toEqual({ ...opened, lossSinceMs: nowMs + 2 });
    expect(openDay(lost, nowMs + 86_400_000, account)).toMatchObject({ lossSinceMs: null });
    const check = (changed: Partial<AccountState>) =>
      verdict(buildIntent({ baseSize: 1n }), {
        ledger: openDay(opened, nowMs, { ...account, ...changed }),
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
});

describe("limits in time", () => {
  it("accept alerts up to 300 s old and 60 s ahead, less if the agent is stricter", () => {
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

  it("apply the strictest state", () => {
    expect(strictestOf("active", "reducing")).toBe("reducing");
    expect(strictestOf("halted", "active", "reducing")).toBe("halted");
    expect(strictestOf()).toBe("active");
  });
});

describe("the fees of all owners", () => {
  it.each([
    ["below an equal share", { feesTodayOfOwner: 49_999_999n, ownersToday: 100 }],
    ["below the least share", { feesTodayOfOwner: 999_999n, ownersToday: 1_000_000 }],
    ["with few others", { feesTodayOfOwner: 99_999_999n, ownersToday: 1 }],
  ])("deny no owner %s, however much others used", (_, parts) => {
    const used = buildContext({ ...parts, feesTodayOfAll: 50_000_000_000n });
    expect(approve(buildIntent(), used).kind).toBe("approved");
  });
});
