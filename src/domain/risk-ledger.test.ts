import { describe, expect, it } from "vitest";
import { isReached } from "./limit-use.ts";
import type { OwnerLimits } from "./owner-limits.ts";
import type { AccountState } from "./position.ts";
import {
  EMPTY_RISK_LEDGER,
  failureUse,
  isOfToday,
  isReducingReason,
  lossLimitBps,
  lossUse,
  openRiskDay,
  reducingByHistory,
  type RiskLedger,
} from "./risk-ledger.ts";
import { NO_OWNER_LIMITS } from "../../test/owner-limits.ts";

const NOON = Date.UTC(2026, 10, 22, 12);
const MIDNIGHT = Date.UTC(2026, 10, 22);

const account = (portfolioValue: bigint): AccountState => ({
  slot: 1n,
  subAccountExists: true,
  positions: [],
  openOrderCount: 0,
  freeCollateral: portfolioValue,
  portfolioValue,
  withdrawable: portfolioValue,
  netDeposits: 1_000n,
  health: 100,
});
const limitsOf = (parts: Partial<OwnerLimits>): OwnerLimits => ({ ...NO_OWNER_LIMITS, ...parts });
const ledgerOf = (
  parts: Partial<RiskLedger>,
  own: Partial<RiskLedger["own"]> = {},
): RiskLedger => ({
  ...EMPTY_RISK_LEDGER,
  day: "2026-11-22",
  ...parts,
  own: { ...EMPTY_RISK_LEDGER.own, ...own },
});

describe("reducingByHistory", () => {
  it.each<[string, RiskLedger, Partial<OwnerLimits>, string | null, number | null]>([
    ["nothing", ledgerOf({}), {}, null, null],
    ["four failures", ledgerOf({ consecutiveFailures: 4 }), {}, null, null],
    ["failures", ledgerOf({ consecutiveFailures: 5, failingSinceMs: 7 }), {}, "failures", 7],
    ["failures of an old row", ledgerOf({ consecutiveFailures: 6 }), {}, "failures", NOON],
    ["a loss of today", ledgerOf({ lossSinceMs: 8 }), {}, "loss_limit", 8],
    ["a loss of another day", ledgerOf({ lossSinceMs: 8, day: "2026-11-21" }), {}, null, null],
    ["an own loss", ledgerOf({ lossSinceMs: 8 }), { dayLossBps: 999 }, "own_loss_limit", 8],
    ["the general loss", ledgerOf({ lossSinceMs: 8 }), { dayLossBps: 1_000 }, "loss_limit", 8],
    ["a fall", ledgerOf({}, { fallSinceMs: 9 }), { fallBps: 100 }, "own_fall_limit", 9],
    ["a fall without a limit", ledgerOf({}, { fallSinceMs: 9 }), {}, null, null],
    ["a limit without a fall", ledgerOf({}), { fallBps: 100 }, null, null],
    [
      "losses",
      ledgerOf({}, { lossesInRow: 2, lostAtMs: 3 }),
      { lossesInRow: 2 },
      "own_losses_limit",
      3,
    ],
    [
      "losses at no known time",
      ledgerOf({}, { lossesInRow: 2 }),
      { lossesInRow: 2 },
      "own_losses_limit",
      NOON,
    ],
    ["fewer losses", ledgerOf({}, { lossesInRow: 1 }), { lossesInRow: 2 }, null, null],
    [
      "trades",
      ledgerOf({}, { entriesToday: 3 }),
      { tradesPerDay: 3 },
      "own_trades_limit",
      MIDNIGHT,
    ],
    ["fewer trades", ledgerOf({}, { entriesToday: 2 }), { tradesPerDay: 3 }, null, null],
    [
      "trades of another day",
      ledgerOf({ day: "2026-11-21" }, { entriesToday: 3 }),
      { tradesPerDay: 3 },
      null,
      null,
    ],
  ])("reports why and since when for %s", (_name, ledger, limits, reason, sinceMs) => {
    const found = reducingByHistory(ledger, NOON, limitsOf(limits));
    expect(found).toEqual(reason === null ? null : { reason, sinceMs });
    if (reason !== null) expect(isReducingReason(reason)).toBe(true);
  });

  it("contains no reason that concerns one order only", () => {
    expect(["stale_price", "size_too_small", ""].some(isReducingReason)).toBe(false);
  });
});

describe("the loss of a day", () => {
  it("is limited to a tenth, or less if the owner says so, rounded down", () => {
    expect(
      [null, 1, 999, 1_000, 1_001, 9_000].map((dayLossBps) =>
        lossLimitBps(limitsOf({ dayLossBps })),
      ),
    ).toEqual([1_000n, 1n, 999n, 1_000n, 1_000n, 1_000n]);
    const opened = openRiskDay(EMPTY_RISK_LEDGER, NOON, account(1_009n), NO_OWNER_LIMITS);
    const use = (value: bigint) => lossUse(opened, account(value), NO_OWNER_LIMITS);
    expect(use(1_009n)).toEqual({ limit: "daily_loss", used: 0n, most: 100n });
    expect(use(1_200n).used).toBe(0n);
    expect([use(910n), use(909n)].map(isReached)).toEqual([false, true]);
  });

  it("keeps the time at which the limit was reached, until the loss is recovered", () => {
    const opened = openRiskDay(EMPTY_RISK_LEDGER, NOON, account(1_000n), NO_OWNER_LIMITS);
    expect(opened.day).toBe("2026-11-22");
    const lost = openRiskDay(opened, NOON + 1, account(900n), NO_OWNER_LIMITS);
    expect(lost.lossSinceMs).toBe(NOON + 1);
    expect(openRiskDay(lost, NOON + 2, account(890n), NO_OWNER_LIMITS).lossSinceMs).toBe(NOON + 1);
    expect(openRiskDay(lost, NOON + 2, account(901n), NO_OWNER_LIMITS).lossSinceMs).toBeNull();
    expect(isOfToday(lost, MIDNIGHT)).toBe(true);
    expect(isOfToday(lost, MIDNIGHT - 1)).toBe(false);
    expect(EMPTY_RISK_LEDGER.day).toBe("");
  });

  it("counts failures up to five", () => {
    expect(failureUse({ consecutiveFailures: 2 })).toEqual({
      limit: "failures",
      used: 2n,
      most: 5n,
    });
  });
});
