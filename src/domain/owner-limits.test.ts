import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAgentId, parseOrderId } from "./ids.ts";
import { allMarkets } from "../venues/profiles.ts";
import type { OrderIntent } from "./order/order.ts";
import { fallUse, resumed, withEntry, withoutEntry } from "./owner-history.ts";
import { loosenedLimits, type OwnerLimits } from "./owner-limits.ts";
import type { AccountState, Position } from "./position.ts";
import { approve, type RiskContext } from "./order/risk.ts";
import {
  EMPTY_RISK_LEDGER,
  openRiskDay,
  reducingByHistory,
  type RiskLedger,
} from "./risk-ledger.ts";
import { NO_OWNER_LIMITS } from "../../test/owner-limits.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const DAY_MS = 86_400_000;

const account = (value: bigint, parts: Partial<AccountState> = {}): AccountState => ({
  slot: 1n,
  subAccountExists: true,
  positions: [],
  openOrderCount: 0,
  freeCollateral: value,
  portfolioValue: value,
  withdrawable: value,
  netDeposits: 1_000_000_000n,
  health: 100,
  ...parts,
});

const open = (unrealizedPnl: bigint): readonly Position[] => [
  {
    marketId: "SOL-PERP",
    side: "long",
    baseSize: 1_000_000_000n,
    entryPrice: 100_000_000n,
    positionValue: 100_000_000n + unrealizedPnl,
    unrealizedPnl,
  },
];

const limitsOf = (parts: Partial<OwnerLimits>): OwnerLimits => ({ ...NO_OWNER_LIMITS, ...parts });

const intent = (parts: Partial<OrderIntent> = {}): OrderIntent => ({
  orderId: parseOrderId("1".repeat(32)),
  agentId: parseAgentId("a".repeat(32)),
  signal: "OPEN_LONG",
  market: allMarkets()[0]!,
  side: "long",
  reduceOnly: false,
  baseSize: 1_000_000_000n,
  referencePrice: 100_000_000n,
  slippageBps: 50,
  percentage: 100,
  ...parts,
});

const EXIT = intent({ reduceOnly: true, side: "short", signal: "CLOSE_LONG" });

/** Returns the verdicts on an entry and an exit, from an account whose history is up to date. */
function verdicts(
  ledger: RiskLedger,
  state: AccountState,
  limits: OwnerLimits,
  parts: Partial<RiskContext> = {},
): readonly string[] {
  const context: RiskContext = {
    nowMs: NOW,
    price: { price: 100_000_000n, confidence: 0n, publishedAtMs: NOW },
    account: state,
    quoteDecimals: 6,
    isVenueAvailable: true,
    leverage: 1,
    tradingState: "active",
    ledger: openRiskDay(ledger, NOW, state, limits),
    ordersLastMinute: 0,
    ordersLastHour: 0,
    entriesLastMinuteOfOwner: 0,
    feesTodayOfOwner: 0n,
    feesTodayOfAll: 0n,
    ownersToday: 0,
    limits,
    walletMoney: null,
    ...parts,
  };
  return [intent(), EXIT].map((order) => {
    const answer = approve(order, context);
    return answer.kind === "denied" ? answer.reason : answer.kind;
  });
}

const opened = (limits: OwnerLimits, value = 1_000_000_000n) =>
  openRiskDay(EMPTY_RISK_LEDGER, NOW - 1, account(value), limits);

/** Returns the ledger after trades with these results, each begun and ended at its own reading. */
function afterTrades(limits: OwnerLimits, results: readonly bigint[]): [RiskLedger, AccountState] {
  let value = 1_000_000_000n;
  let ledger = opened(limits);
  for (const result of results) {
    ledger = { ...ledger, own: withEntry(ledger.own, account(value)) };
    ledger = openRiskDay(ledger, NOW - 1, account(value - 1n, { positions: open(-1n) }), limits);
    value += result;
    ledger = openRiskDay(ledger, NOW - 1, account(value), limits);
  }
  return [ledger, account(value)];
}

describe("each reached limit denies the entry and allows the exit", () => {
  it.each<[string, Partial<OwnerLimits>, bigint, string]>([
    ["a loss one unit below", { dayLossBps: 200 }, 980_000_001n, "approved"],
    ["a loss at", { dayLossBps: 200 }, 980_000_000n, "own_loss_limit"],
    ["an owner's limit wider than everybody's", { dayLossBps: 9_000 }, 900_000_000n, "loss_limit"],
    ["a fall one unit below", { fallBps: 500 }, 950_000_001n, "approved"],
    ["a fall at", { fallBps: 500 }, 950_000_000n, "own_fall_limit"],
  ])("%s", (_name, parts, value, entry) => {
    const limits = limitsOf(parts);
    expect(verdicts(opened(limits), account(value), limits)).toEqual([entry, "approved"]);
  });

  it.each<[readonly bigint[], string]>([
    [[-1n, -1n], "approved"],
    [[-1n, -1n, -1n], "own_losses_limit"],
    [[-1n, -1n, 1n, -1n, -1n], "approved"],
    // A trade with a result of zero neither ends the losing streak nor adds to it
    [[-1n, -1n, 0n, -1n], "own_losses_limit"],
  ])("losses in a row (%#)", (results, entry) => {
    const limits = limitsOf({ lossesInRow: 3 });
    const [ledger, state] = afterTrades(limits, results);
    expect(verdicts(ledger, state, limits)).toEqual([entry, "approved"]);
  });

  it("trades of a day, excluding orders without a fill, reset on the next day", () => {
    const limits = limitsOf({ tradesPerDay: 2 });
    const [once, state] = afterTrades(limits, [5n]);
    const sent = { ...once, own: withEntry(once.own, state) };
    expect(verdicts(once, state, limits)).toEqual(["approved", "approved"]);
    expect(verdicts(sent, state, limits)).toEqual(["own_trades_limit", "approved"]);
    const failed = { ...sent, own: withoutEntry(sent.own) };
    expect(verdicts(failed, state, limits)).toEqual(["approved", "approved"]);
    expect(reducingByHistory(sent, NOW, limits)?.reason).toBe("own_trades_limit");
    expect(reducingByHistory(sent, NOW + DAY_MS, limits)).toBeNull();
    expect(openRiskDay(sent, NOW + DAY_MS, state, limits).own.entriesToday).toBe(0);
  });

  it.each<[bigint, bigint, string]>([
    [1_000_000_000n, 400_000_000n, "approved"],
    [1_000_000_000n, 400_000_001n, "own_asset_limit"],
    [999_999_999n, 400_000_000n, "own_asset_limit"],
    [0n, 0n, "own_asset_limit"],
  ])("a share of the wallet's money (%#)", (total, inAsset, entry) => {
    const limits = limitsOf({ assetShareBps: 5_000 });
    const money = { walletMoney: { total, inAsset } };
    const state = account(1_000_000_000n);
    expect(verdicts(opened(limits), state, limits, money)).toEqual([entry, "approved"]);
  });

  it("an unreadable share denies the entry", () => {
    const limits = limitsOf({ assetShareBps: 10_000 });
    const said = verdicts(opened(limits), account(1_000_000_000n), limits);
    expect(said).toEqual(["own_asset_limit", "approved"]);
  });
});

describe("the drawdown from the peak", () => {
  const limits = limitsOf({ fallBps: 1_000 });
  const look = (ledger: RiskLedger, value: bigint, netDeposits = 1_000_000_000n) =>
    openRiskDay(ledger, NOW, account(value, { netDeposits }), limits);

  it("includes open gains in the peak, and a reached limit holds until the owner resumes", () => {
    const high = look(opened(limits), 1_200_000_000n);
    const low = look(high, 1_080_000_000n);
    expect(low.own.fallSinceMs).toBe(NOW);
    const back = look(low, 1_190_000_000n);
    expect(verdicts(back, account(1_190_000_000n), limits)).toEqual(["own_fall_limit", "approved"]);
    const again = { ...back, own: resumed(back.own, NOW) };
    expect(verdicts(again, account(1_190_000_000n), limits)).toEqual(["approved", "approved"]);
    expect(look(again, 1_190_000_000n).own.peak).toBe(1_190_000_000n);
  });

  it("treats no flow as a gain or a loss", () => {
    const half = look(opened(limits), 500_000_000n, 500_000_000n);
    expect(half.own).toMatchObject({ peak: 500_000_000n, fallSinceMs: null });
    const state = account(455_000_000n, { netDeposits: 500_000_000n });
    const fallen = openRiskDay(half, NOW, state, limits);
    expect(fallUse(fallen.own, state, limits)).toMatchObject({
      used: 45_000_000n,
      most: 50_000_000n,
    });
    // A deposit makes the account ten times as large: the drawdown stays 9 %
    const more = look(fallen, 4_550_000_000n, 4_595_000_000n);
    expect(more.own).toMatchObject({ peak: 5_000_000_000n, fallSinceMs: null });
    expect(look(more, 0n, 45_000_000n).own.fallSinceMs).toBeNull();
  });
});

describe("a peak between two readings", () => {
  const limits = limitsOf({ fallBps: 1_000 });
  const before = { value: 1_000_000_000n, netFlow: 1_000_000_000n };
  const looked = (
    value: bigint,
    netDeposits: bigint,
    worths: readonly (readonly [bigint, bigint])[],
  ) => {
    const state = account(value, { netDeposits });
    const between = {
      before,
      worths: worths.map(([worth, netFlow]) => ({ value: worth, netFlow })),
    };
    return openRiskDay(opened(limits), NOW, state, limits, between).own;
  };

  it("moves the peak by the gain, whatever is held outside the venue's account", () => {
    // 70 in the vault, which the venue does not count
    const own = looked(1_090_000_000n, 1_000_000_000n, [
      [1_170_000_000n, 1_070_000_000n],
      [1_270_000_000n, 1_070_000_000n],
      [1_160_000_000n, 1_070_000_000n],
    ]);
    expect(own).toMatchObject({ peak: 1_200_000_000n, fallSinceMs: null, peakSeenMs: NOW });
    expect(
      looked(1_080_000_000n, 1_000_000_000n, [[1_200_000_000n, 1_000_000_000n]]),
    ).toMatchObject({ peak: 1_200_000_000n, fallSinceMs: NOW });
  });

  it("treats a withdrawal between them as no loss", () => {
    const own = looked(600_000_000n, 400_000_000n, [
      [1_200_000_000n, 1_000_000_000n],
      [600_000_000n, 400_000_000n],
    ]);
    expect(own).toMatchObject({ peak: 600_000_000n, fallSinceMs: null });
  });

  it("does not guess while the book lacks the movement", () => {
    const own = looked(600_000_000n, 400_000_000n, [[1_200_000_000n, 1_000_000_000n]]);
    expect(own).toMatchObject({ peak: 600_000_000n, fallSinceMs: null });
  });
});

describe("loosening", () => {
  it.each<[Partial<OwnerLimits>, Partial<OwnerLimits>, readonly string[]]>([
    [{}, { dayLossBps: 10, tradesPerDay: 1 }, []],
    [{ dayLossBps: 200 }, { dayLossBps: 200 }, []],
    [{ dayLossBps: 200 }, { dayLossBps: 100 }, []],
    [{ dayLossBps: 200 }, { dayLossBps: 201 }, ["dayLossBps"]],
    [{ dayLossBps: 200, lossesInRow: 3 }, { lossesInRow: 2 }, ["dayLossBps"]],
  ])("from %j to %j concerns %j", (before, after, names) => {
    expect(loosenedLimits(limitsOf(before), limitsOf(after))).toEqual(names);
  });
});

describe("over random price paths", () => {
  const path = fc.array(fc.integer({ min: -400, max: 400 }), { minLength: 20, maxLength: 120 });

  /**
   * Simulates an agent that enters whenever allowed and exits when the price moved against it by 1 %, with up to 0.5 %
   * slippage on both fills. Returns the day's realised loss, and the largest cost of one trade.
   */
  function live(moves: readonly number[], limits: OwnerLimits) {
    let [cash, price, ledger] = [1_000_000_000n, 100_000_000n, EMPTY_RISK_LEDGER];
    let held: { readonly at: bigint; readonly paid: bigint } | null = null;
    let [worst, denied] = [0n, 0];
    for (const move of moves) {
      price = (price * BigInt(10_000 + move)) / 10_000n;
      const worth: bigint = held === null ? 0n : (held.paid * price) / held.at;
      const pnl: bigint = held === null ? 0n : worth - held.paid;
      const state = account(cash + pnl, { positions: held === null ? [] : open(pnl) });
      ledger = openRiskDay(ledger, NOW, state, limits);
      const [entry, exit] = verdicts(ledger, state, limits);
      expect(exit).toBe("approved");
      if (held !== null && pnl * 100n <= -held.paid) {
        const slipped: bigint = (worth * 9_950n) / 10_000n - held.paid;
        cash += slipped;
        worst = slipped < worst ? slipped : worst;
        held = null;
      } else if (held === null && entry === "approved") {
        held = { at: (price * 10_050n) / 10_000n, paid: cash / 2n };
        ledger = { ...ledger, own: withEntry(ledger.own, state) };
      } else if (held === null) denied += 1;
    }
    return { loss: 1_000_000_000n - cash, worst: -worst, denied, ledger };
  }

  // A limit blocks entries and closes nothing: a position open when it is reached may still lose
  it("the realised loss of a day exceeds its limit by at most the loss of one open position", () => {
    const limits = limitsOf({ dayLossBps: 300 });
    let reached = 0;
    fc.assert(
      fc.property(path, (moves) => {
        const { loss, worst, denied } = live(moves, limits);
        expect(loss).toBeLessThanOrEqual(30_000_000n + worst);
        reached += denied > 0 ? 1 : 0;
      }),
      { numRuns: 1_000 },
    );
    expect(reached).toBeGreaterThan(50);
  });

  it("never exceeds the trades of a day, nor trades after the limit of consecutive losses", () => {
    const limits = limitsOf({ tradesPerDay: 4, lossesInRow: 3 });
    fc.assert(
      fc.property(path, (moves) => {
        const { own } = live(moves, limits).ledger;
        expect(own.entriesToday).toBeLessThanOrEqual(4);
        expect(own.lossesInRow).toBeLessThanOrEqual(3);
      }),
      { numRuns: 300 },
    );
  });
});
