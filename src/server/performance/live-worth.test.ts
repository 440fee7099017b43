import { describe, expect, it } from "vitest";
import type { AccountState } from "../../domain/position.ts";
import { madeSince, withPresent, worthNow } from "./portfolio-worth.ts";

const USDC = 1_000_000n;
const NOW = 10_000_000;
const EARLIER = NOW - 600_000;

const recorded = { atMs: EARLIER, value: 1_190n * USDC, netFlow: 1_200n * USDC, isOpen: true };

/** A reading of the venue: what the account is worth, and what came in less what went out. */
const reading = (
  worth: bigint,
  paidIn: bigint,
  subAccountExists = true,
): { readonly state: AccountState } => ({
  state: {
    slot: 1n,
    subAccountExists,
    positions: [],
    openOrderCount: 0,
    freeCollateral: worth * USDC,
    portfolioValue: worth * USDC,
    withdrawable: worth * USDC,
    netDeposits: paidIn * USDC,
    health: 100,
  },
});

const present = (snapshot: ReturnType<typeof reading> | null, hasOpenFlow = false) => ({
  snapshot,
  hasOpenFlow,
});

const madeToday = (...known: Parameters<typeof present>) => {
  const marks = new Map([[NOW, recorded]]);
  const worth = {
    ...worthNow(marks, present(...known), false, NOW),
    flows: [],
    inflows: new Map(),
  };
  return madeSince([worth], 0, NOW, 6)?.amount;
};

describe("the profit until now", () => {
  it("follows the venue's present value", () => {
    expect(madeToday(reading(1_500n, 1_200n))).toBe("300");
    expect(madeToday(reading(1_100n, 1_200n))).toBe("-100");
  });

  it("stays the booked profit while a deposit or withdrawal is not booked", () => {
    expect(madeToday(reading(6_190n, 6_200n))).toBe("-10");
    expect(madeToday(reading(190n, 200n))).toBe("-10");
    // Too small to be told from the price of the quote token
    expect(madeToday(reading(1_195n, 1_205n), true)).toBe("-10");
  });

  it("is the booked profit when the venue cannot be read", () => {
    expect(madeToday(null)).toBe("-10");
    expect(madeToday(reading(0n, 0n, false))).toBe("-10");
  });

  it("handles a venue that values deposits at the quote token's price", () => {
    expect(madeToday(reading(1_500n, 1_199n))).toBe("300");
  });
});

describe("a curve until now", () => {
  const points = [recorded];

  it("ends with the venue's present value", () => {
    expect(withPresent(points, present(reading(1_500n, 1_200n)), NOW)).toEqual([
      recorded,
      { ...recorded, atMs: NOW, value: 1_500n * USDC },
    ]);
  });

  it("ends with the book when that is unknown or a flow is not booked", () => {
    expect(withPresent(points, present(null), NOW)).toBe(points);
    expect(withPresent(points, present(reading(6_190n, 6_200n)), NOW)).toBe(points);
    expect(withPresent([], present(reading(1_500n, 1_200n)), NOW)).toEqual([]);
    expect(withPresent(points, present(reading(1_500n, 1_200n)), EARLIER)).toBe(points);
  });
});
