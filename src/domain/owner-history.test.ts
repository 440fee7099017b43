import { describe, expect, it } from "vitest";
import {
  afterReading,
  afterWorths,
  EMPTY_OWNER_HISTORY,
  fallUse,
  isWorthDue,
  lossesUse,
  type OwnerHistory,
  realizedOf,
  tradesUse,
  withEntry,
  withoutEntry,
} from "./owner-history.ts";
import type { OwnerLimits } from "./owner-limits.ts";
import type { AccountState } from "./position.ts";
import { NO_OWNER_LIMITS } from "../../test/owner-limits.ts";

const account = (portfolioValue: bigint, parts: Partial<AccountState> = {}): AccountState => ({
  slot: 1n,
  subAccountExists: true,
  positions: [],
  openOrderCount: 0,
  freeCollateral: portfolioValue,
  portfolioValue,
  withdrawable: portfolioValue,
  netDeposits: 1_000n,
  health: 100,
  ...parts,
});
const position = {
  marketId: "SOL-PERP",
  side: "long",
  baseSize: 1n,
  entryPrice: 1n,
  positionValue: 1n,
  unrealizedPnl: -30n,
} as const;
const historyOf = (parts: Partial<OwnerHistory>): OwnerHistory => ({
  ...EMPTY_OWNER_HISTORY,
  ...parts,
});
const limitsOf = (parts: Partial<OwnerLimits>): OwnerLimits => ({ ...NO_OWNER_LIMITS, ...parts });
const look = (history: OwnerHistory, state: AccountState, limits = NO_OWNER_LIMITS) =>
  afterReading(history, 50, state, limits);

describe("a trade", () => {
  const begun = withEntry(historyOf({ lossesInRow: 2, lostAtMs: 4 }), account(1_000n));

  it("is judged by the profit realised before it, excluding open positions and deposits", () => {
    expect(realizedOf(account(980n, { positions: [position] }))).toBe(10n);
    expect(begun).toMatchObject({ entriesToday: 1, realizedBeforeEntry: 0n });
    expect(withoutEntry(begun).entriesToday).toBe(0);
    expect(withoutEntry(EMPTY_OWNER_HISTORY).entriesToday).toBe(0);
  });

  it.each([
    ["that won", 1_001n, { lossesInRow: 0, lostAtMs: null }],
    ["that came out even", 1_000n, { lossesInRow: 2, lostAtMs: 4 }],
    ["that lost", 999n, { lossesInRow: 3, lostAtMs: 50 }],
  ])("%s is judged once its position is closed", (_name, value, expected) => {
    const still = look(begun, account(value, { positions: [position] }));
    expect(still).toMatchObject({ realizedBeforeEntry: 0n, lossesInRow: 2, lostAtMs: 4 });
    expect(look(still, account(value))).toMatchObject({ realizedBeforeEntry: null, ...expected });
  });
});

describe("the peak", () => {
  const seen = historyOf({ peak: 2_000n, netDepositsSeen: 1_000n });

  it("rises with the value and never falls with it", () => {
    expect(look(EMPTY_OWNER_HISTORY, account(900n))).toMatchObject({
      peak: 900n,
      netDepositsSeen: 1_000n,
    });
    expect(look(seen, account(2_001n)).peak).toBe(2_001n);
    expect(look(seen, account(1_999n))).toBe(seen);
    expect(look(seen, account(2_000n))).toBe(seen);
  });

  it("scales with deposits and withdrawals, rounded down", () => {
    // 1,000 in beside 1,500: the peak of 2,000 becomes 2,000 × 2,500 / 1,500
    const paid = look(seen, account(2_500n, { netDeposits: 2_000n }));
    expect(paid).toMatchObject({ peak: 3_333n, netDepositsSeen: 2_000n });
    // 500 out of 1,500: 2,000 × 1,000 / 1,500
    expect(look(seen, account(1_000n, { netDeposits: 500n })).peak).toBe(1_333n);
  });

  it("restarts where it cannot be scaled", () => {
    expect(look(seen, account(1_000n, { netDeposits: 2_000n })).peak).toBe(1_000n);
    expect(look(seen, account(900n, { netDeposits: 2_000n })).peak).toBe(900n);
    expect(look(seen, account(0n, { netDeposits: 0n })).peak).toBe(0n);
    expect(look(seen, account(-1n, { netDeposits: 0n })).peak).toBe(-1n);
  });
});

describe("an equity point without a fill or flow", () => {
  it.each([
    ["nothing was recorded yet", null, true],
    ["an hour has passed", 1_000, true],
    ["a millisecond of the hour is left", 1_001, false],
  ] as const)("is due hourly: %s", (_name, lastAtMs, isDue) => {
    expect(isWorthDue(lastAtMs, 3_601_000)).toBe(isDue);
  });
});

describe("equity points between two readings", () => {
  const seen = historyOf({ peak: 1_500n, netDepositsSeen: 1_000n });
  const worths = (...values: readonly [bigint, bigint][]) =>
    values.map(([value, netFlow]) => ({ value, netFlow }));
  const after = (
    netDeposits: bigint,
    all: ReturnType<typeof worths>,
    before = worths([0n, 300n])[0]!,
  ) => afterWorths(seen, 60, account(1n, { netDeposits }), { before, worths: all });

  it("raise the peak by the highest gain, however the ledger classifies deposits", () => {
    // Gains of 600 and 400 over 300 paid in: with 1,000 paid in 1,600 and 1,400
    expect(after(1_000n, worths([900n, 300n], [700n, 300n]))).toMatchObject({
      peak: 1_600n,
      peakSeenMs: 60,
      netDepositsSeen: 1_000n,
    });
    expect(after(1_000n, worths([700n, 300n])).peak).toBe(1_500n);
  });

  it("follow, in order, a deposit that both sides show", () => {
    // At 300 paid in worth 800: 1,500 of 1,000; then 200 paid in, worth 1,300: 2,000, above 1,500 × 2,000 / 1,800
    const found = after(1_200n, worths([800n, 300n], [1_300n, 500n]));
    expect(found).toMatchObject({ peak: 2_000n, netDepositsSeen: 1_200n });
  });

  it("are ignored while the ledger lacks a deposit that the venue shows", () => {
    expect(after(1_200n, worths([900n, 300n]))).toEqual({ ...seen, peakSeenMs: 60 });
    expect(after(1_200n, worths([900n, 400n]))).toEqual({ ...seen, peakSeenMs: 60 });
  });

  it("count from the first one when there is none before", () => {
    const given = { before: null, worths: worths([900n, 300n]) };
    expect(afterWorths(seen, 60, account(1n), given).peak).toBe(1_600n);
  });

  it("change nothing when there are none, and are skipped when zero", () => {
    expect(after(1_000n, [])).toEqual({ ...seen, peakSeenMs: 60 });
    const empty = historyOf({ netDepositsSeen: 1_000n });
    const given = { before: null, worths: worths([-700n, 300n]) };
    expect(afterWorths(empty, 60, account(1n), given).peak).toBeNull();
    const below = { before: null, worths: worths([-701n, 300n]) };
    expect(afterWorths(empty, 60, account(1n), below).peak).toBeNull();
  });
});

describe("the drawdown from the peak", () => {
  const limits = limitsOf({ fallBps: 1_000 });
  const seen = historyOf({ peak: 1_009n, netDepositsSeen: 1_000n });

  it("is measured when the owner limits it, with the limit rounded down", () => {
    expect(fallUse(seen, account(1_000n), limits)).toEqual({ limit: "fall", used: 9n, most: 100n });
    expect(fallUse(seen, account(1_100n), limits)?.used).toBe(0n);
    expect(fallUse(seen, account(1_009n), limits)?.used).toBe(0n);
    expect(fallUse(seen, account(1n), NO_OWNER_LIMITS)).toBeNull();
    expect(fallUse(EMPTY_OWNER_HISTORY, account(1n), limits)).toBeNull();
  });

  it("stays in force once it reached its limit, and ends with the limit", () => {
    expect(look(seen, account(910n), limits).fallSinceMs).toBeNull();
    const fallen = look(seen, account(909n), limits);
    expect(fallen.fallSinceMs).toBe(50);
    expect(afterReading(fallen, 70, account(800n), limits)).toBe(fallen);
    expect(afterReading(fallen, 70, account(1_000n), limits)).toBe(fallen);
    expect(fallUse(fallen, account(1_000n), limits)?.used).toBe(100n);
    expect(fallUse(fallen, account(808n), limits)?.used).toBe(201n);
    expect(afterReading(fallen, 70, account(1_000n), NO_OWNER_LIMITS).fallSinceMs).toBeNull();
    const whole = historyOf({ peak: 1_009n, netDepositsSeen: 1_000n });
    expect(afterReading(whole, 70, account(1_000n), NO_OWNER_LIMITS)).toBe(whole);
  });
});

describe("the other limits of an owner", () => {
  it("report how much is used, and nothing without a limit", () => {
    const history = historyOf({ lossesInRow: 2, entriesToday: 3 });
    expect(lossesUse(history, limitsOf({ lossesInRow: 4 }))).toEqual({
      limit: "losses_in_a_row",
      used: 2n,
      most: 4n,
    });
    expect(tradesUse(history, limitsOf({ tradesPerDay: 5 }))).toEqual({
      limit: "trades_a_day",
      used: 3n,
      most: 5n,
    });
    expect([lossesUse(history, NO_OWNER_LIMITS), tradesUse(history, NO_OWNER_LIMITS)]).toEqual([
      null,
      null,
    ]);
  });
});
