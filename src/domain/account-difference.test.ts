import { describe, expect, it } from "vitest";
import { differenceFrom, isSameDifference, NO_DIFFERENCE } from "./account-difference.ts";
import type { AccountState, Position } from "./position.ts";

const position = (side: Position["side"], baseSize: bigint): Position => ({
  marketId: "SOL-PERP",
  side,
  baseSize,
  entryPrice: 0n,
  unrealizedPnl: 0n,
  positionValue: 0n,
});

const account = (cash: bigint, ...positions: Position[]): AccountState => ({
  slot: 1n,
  subAccountExists: true,
  positions,
  openOrderCount: 0,
  freeCollateral: 0n,
  cash,
  portfolioValue: 1_000n,
  withdrawable: 0n,
  netDeposits: 0n,
  health: 100,
});

const recorded = { positions: new Map([["SOL-PERP", 700n]]), cash: 1_000n };

const isExplained = (state: AccountState) =>
  isSameDifference(differenceFrom(state, recorded), NO_DIFFERENCE, state);

describe("an account beside the agent's records", () => {
  it.each([
    ["what they say", account(1_000n, position("long", 700n)), true],
    ["a hundredth more and less", account(990n, position("long", 706n)), true],
    ["more money", account(1_011n, position("long", 700n)), false],
    ["less money", account(989n, position("long", 700n)), false],
    ["no position", account(1_000n), false],
    ["twice the position", account(1_000n, position("long", 1_400n)), false],
    ["half the position", account(1_000n, position("long", 350n)), false],
    ["the other side", account(1_000n, position("short", 700n)), false],
  ])("is explained when it shows %s: %s", (_, state, expected) => {
    expect(isExplained(state)).toBe(expected);
  });

  it("shows the same difference after a trade that account and records both contain", () => {
    const deposit = differenceFrom(account(1_500n, position("long", 700n)), recorded);
    const later = { positions: new Map<string, bigint>(), cash: 2_000n };
    const state = account(2_500n);
    expect(isSameDifference(differenceFrom(state, later), deposit, state)).toBe(true);
    const emptied = account(2_000n);
    expect(isSameDifference(differenceFrom(emptied, later), deposit, emptied)).toBe(false);
  });
});
