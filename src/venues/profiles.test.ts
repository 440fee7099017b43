import { expect, it } from "vitest";
import { allMarkets, assetName } from "./profiles.ts";

it("every asset an agent can trade has a name", () => {
  const unnamed = allMarkets().filter(({ asset }) => assetName(asset) === asset);
  expect(unnamed).toEqual([]);
  expect(assetName("constructor")).toBe("constructor");
});

it("a market's name is of one kind and asset on every venue that has it", () => {
  const named = new Map(allMarkets().map((market) => [market.marketId, market]));
  for (const { marketId, kind, asset } of allMarkets()) {
    expect(named.get(marketId)).toMatchObject({ kind, asset });
  }
});
