import { backingUnder } from "../../domain/daily-allowance.ts";
import type { AccountState, Position } from "../../domain/position.ts";
import type { MarketPrice } from "../ports.ts";
import type { VenueAccount } from "../venue.ts";
import { valueOf } from "./instance.ts";
import type { SpotPrices } from "./swap-router.ts";
import type { VaultReading } from "./vault-reader.ts";
import { remainingOf } from "./spending-limits.ts";

/** Value in quote base units below which a holding is dust and no position: anybody can send tokens to a vault. */
export const DUST = 10_000n;

/** Prices of the assets in a reading, by market. */
export type AssetPrices = ReadonlyMap<string, MarketPrice>;

/**
 * Returns the markets whose prices the account state depends on: the agent's own, and those of other holdings that have
 * a price at all. Anybody can send any token to a vault: one without a price must not keep the account from being read.
 */
export function marketsNeeded(
  reading: VaultReading,
  account: VenueAccount,
  { isPriced = () => true }: Pick<SpotPrices, "isPriced">,
): readonly string[] {
  return reading.assets.flatMap(({ asset: { marketId }, held }) => {
    const isHeld = (held ?? 0n) > 0n && isPriced(marketId);
    return isHeld || marketId === account.marketId ? [marketId] : [];
  });
}

/**
 * Returns the account state of a vault at a spot venue.
 *
 * The chain stores neither cost basis nor deposits: the entry price is the present price, PnL is 0 and net deposits
 * equal the total value, until the caller fills them in from recorded fills and transfers. Collateral for a new
 * position is also bounded by what the trading key may still draw today, and by what it could sell again.
 *
 * Another asset than the agent's counts as money, but is a position only where the trading key has a limit for it:
 * anybody can send one, which no exit could sell, so that a stop would never end.
 */
export function accountStateOf(
  reading: VaultReading,
  account: VenueAccount,
  prices: AssetPrices,
  nowSeconds: bigint,
): AccountState {
  const quoteHeld = reading.quote.held ?? 0n;
  const valued = reading.assets.flatMap(({ asset, held, limit }) => {
    const price = prices.get(asset.marketId)?.price;
    return price === undefined
      ? []
      : [{ asset, held: held ?? 0n, limit, price, value: valueOf(asset, held ?? 0n, price) }];
  });
  const portfolioValue = valued.reduce((sum, { value }) => sum + value, quoteHeld);
  const traded = valued.find(({ asset }) => asset.marketId === account.marketId);
  const sellable =
    traded === undefined
      ? 0n
      : valueOf(traded.asset, remainingOf(traded.limit, nowSeconds) - traded.held, traded.price);
  const drawable = remainingOf(reading.quote.limit, nowSeconds);
  const isMissing = reading.quote.limit === null || (traded?.limit ?? null) === null;
  const isDrawn = [reading.quote.limit, traded?.limit ?? null].some(
    (limit) => limit !== null && remainingOf(limit, nowSeconds) < limit.amount,
  );
  return {
    slot: reading.slot,
    subAccountExists: reading.quote.limit !== null,
    positions: valued
      .filter(
        ({ asset, limit, value }) =>
          value >= DUST && (asset.marketId === account.marketId || limit !== null),
      )
      .map(({ asset, held, price, value }): Position => ({
        marketId: asset.marketId,
        side: "long",
        baseSize: held,
        entryPrice: price,
        unrealizedPnl: 0n,
        positionValue: value,
      })),
    openOrderCount: 0,
    cash: quoteHeld + (reading.quote.heldByTradingKey ?? 0n),
    ...backingUnder({ held: quoteHeld, drawable, sellable, isMissing, isDrawn }),
    portfolioValue,
    withdrawable: quoteHeld,
    netDeposits: portfolioValue,
    health: 100,
  };
}
