import { describe, expect, it } from "vitest";
import { perpMarketLayout } from "../../../venues/drift/layout-perp-market.ts";
import { stateLayout } from "../../../venues/drift/layout-state.ts";
import { derivePerpMarket, deriveState } from "../../../venues/drift/pdas.ts";
import { DRIFT_V2_INSTANCE as IDS } from "../../../venues/drift/instance.ts";
import { SYSTEM_PROGRAM } from "../../../solana/programs/system.ts";
import { exchangeAccounts, oracleAddress, PRACTICE_MARKETS } from "./drift-genesis.ts";
import { marketAtPrice } from "./market-at-price.ts";
import { demandSoundMarket } from "./market-update.ts";
import { upgradedExchange } from "./upgrade-exchange.ts";

const exchange = exchangeAccounts(1_764_000_000n);
const solPerp = derivePerpMarket(IDS, 0);
const solOracle = oracleAddress(PRACTICE_MARKETS[0]!);
const NET = 5_000_000_000n;

const zero = perpMarketLayout.zero();
const withoutCurve = perpMarketLayout.encode({
  ...zero,
  nextFillRecordId: 8n,
  amm: {
    ...zero.amm,
    baseAssetAmountLong: NET,
    baseAssetAmountWithAmm: NET,
    cumulativeFundingRateLong: 77n,
  },
});

describe("an exchange of an older practice chain", () => {
  const fresh = exchange.get(solPerp)!;
  const kept = new Map(exchange)
    .set(solPerp, { ...fresh, data: withoutCurve })
    .set(solOracle, { ...exchange.get(solOracle)!, owner: SYSTEM_PROGRAM })
    .set(deriveState(IDS), {
      ...exchange.get(deriveState(IDS))!,
      data: stateLayout.encode({ ...stateLayout.zero(), numberOfSubAccounts: 3n }),
    });
  const upgraded = upgradedExchange(exchange, (address) => kept.get(address));

  it("gets a curve that matches its net position, and keeps its counts and funding", () => {
    const market = perpMarketLayout.decode(upgraded.get(solPerp)!.data);
    expect(market).toMatchObject({ nextFillRecordId: 8n });
    expect(market.amm).toMatchObject({
      baseAssetAmountWithAmm: NET,
      cumulativeFundingRateLong: 77n,
      baseAssetReserve: market.amm.sqrtK - NET,
    });
    const standing = marketAtPrice(market, 155_000_000n, { slot: 9n, unixTime: 1_764_000_900n });
    expect(() => demandSoundMarket(standing)).not.toThrow();
  });

  it("gets guard rails and the oracle's owner, and keeps the number of accounts", () => {
    const state = stateLayout.decode(upgraded.get(deriveState(IDS))!.data);
    expect(state).toMatchObject({ numberOfSubAccounts: 3n, tooVolatileRatio: 5n });
    expect(upgraded.get(solOracle)).toEqual(exchange.get(solOracle));
  });

  it("gets market-order auctions if it had none, and keeps everything else", () => {
    const now = stateLayout.decode(exchange.get(deriveState(IDS))!.data);
    const old = { ...now, minPerpAuctionDuration: 0, numberOfSubAccounts: 3n, exchangeStatus: 1 };
    const account = { ...exchange.get(deriveState(IDS))!, data: stateLayout.encode(old) };
    const changed = upgradedExchange(exchange, (address) =>
      address === deriveState(IDS) ? account : exchange.get(address),
    );
    expect([...changed.keys()]).toEqual([deriveState(IDS)]);
    expect(stateLayout.decode(changed.get(deriveState(IDS))!.data)).toEqual({
      ...old,
      minPerpAuctionDuration: 10,
    });
  });

  it("is not changed when nothing is missing", () => {
    expect(upgradedExchange(exchange, (address) => exchange.get(address)).size).toBe(0);
    expect(upgradedExchange(exchange, () => undefined).size).toBe(0);
  });
});
