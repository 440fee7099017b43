import { describe, expect, it } from "vitest";
import { VENUE_PROFILES } from "../venues/profiles.ts";
import type { AccountState } from "./position.ts";
import { withSpotRecords } from "./spot-cost.ts";

const state: AccountState = {
  slot: 1n,
  subAccountExists: true,
  positions: [
    {
      marketId: "SOL",
      side: "long",
      baseSize: 2_000_000_000n,
      entryPrice: 160_000_000n,
      unrealizedPnl: 0n,
      positionValue: 320_000_000n,
    },
  ],
  openOrderCount: 0,
  freeCollateral: 200_000_000n,
  portfolioValue: 520_000_000n,
  withdrawable: 200_000_000n,
  netDeposits: 520_000_000n,
  health: 100,
};

const complete = (bought: readonly [string, { baseSize: bigint; cost: bigint }][]) =>
  withSpotRecords(
    state,
    { netDeposits: 500_000_000n, bought: new Map(bought) },
    VENUE_PROFILES["jupiter"].markets,
    6,
  );

describe("withSpotRecords", () => {
  it("takes entry price and PnL from what was bought since the market was flat", () => {
    const [position] = complete([
      ["SOL", { baseSize: 2_000_000_000n, cost: 300_000_000n }],
    ]).positions;
    expect(position).toMatchObject({ entryPrice: 150_000_000n, unrealizedPnl: 20_000_000n });
  });

  it("counts only the part still held", () => {
    const [position] = complete([
      ["SOL", { baseSize: 4_000_000_000n, cost: 600_000_000n }],
    ]).positions;
    expect(position).toMatchObject({ entryPrice: 150_000_000n, unrealizedPnl: 20_000_000n });
  });

  it("takes net deposits from the records, so that a withdrawal is no loss", () => {
    expect(complete([]).netDeposits).toBe(500_000_000n);
  });

  it("leaves a holding without a fill as the venue has it", () => {
    expect(complete([["BTC", { baseSize: 1n, cost: 1n }]]).positions).toEqual(state.positions);
  });
});
