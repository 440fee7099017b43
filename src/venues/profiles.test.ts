import { expect, it } from "vitest";
import { DRIFT_INSTANCES, VELOCITY_INSTANCE } from "./drift/instance.ts";
import { NETWORKS } from "../domain/network.ts";
import { allMarkets, assetName, isPriced, scalesOf, VENUE_PROFILES } from "./profiles.ts";
import { PYTH_FEEDS } from "./pyth-price.ts";

it("every asset an agent can trade has a name", () => {
  const unnamed = allMarkets().filter(({ asset }) => assetName(asset) === asset);
  expect(unnamed).toEqual([]);
  expect(assetName("constructor")).toBe("constructor");
});

it("a swapped asset can be chosen on a network exactly where something prices it", () => {
  for (const market of VENUE_PROFILES.jupiter.markets) {
    const priced = NETWORKS.filter((network) => isPriced(market, network));
    expect(priced).toEqual(!(market.marketId in PYTH_FEEDS) ? ["practice"] : NETWORKS);
  }
});

it("a market's name has the same kind and asset on every venue", () => {
  const named = new Map(allMarkets().map((market) => [market.marketId, market]));
  for (const { marketId, kind, asset } of allMarkets()) {
    expect(named.get(marketId)).toMatchObject({ kind, asset });
  }
});

it("the decimals of a market are known without its network, but never those of an unknown market", () => {
  expect(scalesOf("drift", "SOL-PERP")).toEqual({ baseDecimals: 9, quoteDecimals: 6 });
  const unknown = { baseDecimals: null, quoteDecimals: null };
  expect(scalesOf("drift", "GONE-PERP")).toEqual(unknown);
  expect(scalesOf(null, "SOL-PERP")).toEqual(unknown);
});

it("a venue settles in tokens of the same decimals on every network", () => {
  const settled = [...Object.values(DRIFT_INSTANCES), VELOCITY_INSTANCE].map(({ quote }) => quote);
  for (const { decimals } of settled) {
    expect(decimals).toBe(VENUE_PROFILES.drift.quote.decimals);
  }
});
