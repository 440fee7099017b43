import type { Address } from "@solana/kit";
import { perpMarketLayout } from "../../../venues/drift/layout-perp-market.ts";
import { spotMarketLayout } from "../../../venues/drift/layout-spot-market.ts";
import { stateLayout } from "../../../venues/drift/layout-state.ts";
import type { AccountState } from "../../runtime/account-state.ts";

type Upgrade = (kept: Uint8Array, fresh: Uint8Array) => Uint8Array | undefined;

/** Adds the settings that an exchange without guard rails lacks, and the auctions one without them lacks. */
const upgradeState: Upgrade = (kept, fresh) => {
  const [old, now] = [stateLayout.decode(kept), stateLayout.decode(fresh)];
  const { minPerpAuctionDuration } = now;
  if (old.tooVolatileRatio !== 0n) {
    return old.minPerpAuctionDuration === minPerpAuctionDuration
      ? undefined
      : stateLayout.encode({ ...old, minPerpAuctionDuration });
  }
  const { numberOfAuthorities, numberOfSubAccounts, exchangeStatus, maxInitializeUserFee } = old;
  const counts = { numberOfAuthorities, numberOfSubAccounts };
  return stateLayout.encode({ ...now, ...counts, exchangeStatus, maxInitializeUserFee });
};

/** Adds a curve that holds the net position of a market that traded without one. */
const upgradePerpMarket: Upgrade = (kept, fresh) => {
  const [old, now] = [perpMarketLayout.decode(kept), perpMarketLayout.decode(fresh)];
  if (old.amm.sqrtK !== 0n) return undefined;
  const { amm } = now;
  const baseAssetReserve = amm.sqrtK - old.amm.baseAssetAmountWithAmm;
  const curve = {
    ...amm,
    baseAssetReserve,
    quoteAssetReserve: (amm.sqrtK * amm.sqrtK) / baseAssetReserve,
  };
  return perpMarketLayout.encode({
    ...now,
    pnlPool: old.pnlPool,
    nextFillRecordId: old.nextFillRecordId,
    numberOfUsersWithBase: old.numberOfUsersWithBase,
    numberOfUsers: old.numberOfUsersWithBase,
    amm: {
      ...curve,
      baseAssetAmountLong: old.amm.baseAssetAmountLong,
      baseAssetAmountShort: old.amm.baseAssetAmountShort,
      baseAssetAmountWithAmm: old.amm.baseAssetAmountWithAmm,
      quoteAssetAmount: old.amm.quoteAssetAmount,
      totalFee: old.amm.totalFee,
      totalExchangeFee: old.amm.totalExchangeFee,
      volume24h: old.amm.volume24h,
      lastFundingRateTs: old.amm.lastFundingRateTs,
      cumulativeFundingRateLong: old.amm.cumulativeFundingRateLong,
      cumulativeFundingRateShort: old.amm.cumulativeFundingRateShort,
    },
  });
};

/** Adds the quote market's own price and limits. */
const upgradeSpotMarket: Upgrade = (kept, fresh) => {
  const [old, now] = [spotMarketLayout.decode(kept), spotMarketLayout.decode(fresh)];
  if (old.historicalOracleData.lastOraclePriceTwap5min !== 0n) return undefined;
  const { depositBalance, nextDepositRecordId } = old;
  return spotMarketLayout.encode({ ...now, depositBalance, nextDepositRecordId });
};

const UPGRADES = [
  [stateLayout, upgradeState],
  [perpMarketLayout, upgradePerpMarket],
  [spotMarketLayout, upgradeSpotMarket],
] as const;

function upgraded(kept: AccountState, fresh: AccountState): AccountState | undefined {
  // An account with another owner holds no user's money: a price
  if (kept.owner !== fresh.owner) return fresh;
  const upgrade = UPGRADES.find(([layout]) => layout.matches(kept.data))?.[1];
  const data = upgrade?.(kept.data, fresh.data);
  return data === undefined ? undefined : { ...kept, data };
}

/** Returns the size an order needs to reverse the position's worst case, 0 if it is already on the order's side. */
export function upgradedExchange(
  exchange: ReadonlyMap<Address, AccountState>,
  kept: (address: Address) => AccountState | undefined,
): ReadonlyMap<Address, AccountState> {
  return new Map(
    [...exchange].flatMap(([address, fresh]) => {
      const old = kept(address);
      const next = old === undefined ? undefined : upgraded(old, fresh);
      return next === undefined ? [] : [[address, next] as const];
    }),
  );
}
