import { describe, expect, it } from "vitest";
import type { AccountState } from "../../domain/position.ts";
import { VENUE_PROFILES } from "../../venues/profiles.ts";
import { withAssetBook } from "./recorded-figures.ts";

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

const marked = state.positions.map((position) => ({ ...position, isCostUnknown: true }));

const complete = (bought: readonly [string, { baseSize: bigint; cost: bigint }][]) =>
  withAssetBook(
    state,
    {
      netDeposits: 500_000_000n,
      held: new Map(
        bought.map(([market, { baseSize: base, cost }]) => [
          market,
          { base, cost: -cost, fees: 0n },
        ]),
      ),
    },
    VENUE_PROFILES["jupiter"].markets,
    6,
  );

describe("withAssetBook", () => {
  it("computes entry price and PnL from purchases since the market was flat", () => {
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

  it("marks a holding of unknown cost", () => {
    const held = new Map([["SOL", { base: 2_000_000_000n, cost: null, fees: null }]]);
    const { markets } = VENUE_PROFILES["jupiter"];
    const { positions } = withAssetBook(state, { netDeposits: 0n, held }, markets, 6);
    expect(positions).toEqual(marked);
  });

  it("reads net deposits from the records, so that a withdrawal is no loss", () => {
    expect(complete([]).netDeposits).toBe(500_000_000n);
  });

  it("marks a holding without a fill", () => {
    expect(complete([["BTC", { baseSize: 1n, cost: 1n }]]).positions).toEqual(marked);
  });
});
