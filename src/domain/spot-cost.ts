import { mulDiv } from "./amount.ts";
import { type Market, PRICE_DECIMALS } from "./market.ts";
import type { AccountState } from "./position.ts";

/** Our own records of an account at a venue that keeps no entry prices. */
export interface SpotRecords {
  /** Deposits less withdrawals and less the cost of withdrawn assets, quote base units. */
  readonly netDeposits: bigint;
  /** Base units bought since the market was last flat, and their cost with fees in quote base units. */
  readonly bought: ReadonlyMap<string, { readonly baseSize: bigint; readonly cost: bigint }>;
}

/**
 * Returns the account with entry prices and PnL from recorded fills, and net deposits from recorded transfers.
 *
 * A holding without a recorded fill, a gift for instance, keeps the venue's figures. Prices have six decimals.
 */
export function withSpotRecords(
  state: AccountState,
  records: SpotRecords,
  markets: readonly Market[],
  quoteDecimals: number,
): AccountState {
  const positions = state.positions.map((position) => {
    const market = markets.find(({ marketId }) => marketId === position.marketId);
    const bought = records.bought.get(position.marketId);
    if (market === undefined || bought === undefined || bought.baseSize === 0n) return position;
    const { baseSize, cost } = bought;
    const perWhole = 10n ** BigInt(market.baseDecimals + PRICE_DECIMALS);
    const costOfHeld = mulDiv(cost, position.baseSize, baseSize, "half_up");
    return {
      ...position,
      entryPrice: mulDiv(cost, perWhole, baseSize * 10n ** BigInt(quoteDecimals), "half_up"),
      unrealizedPnl: position.positionValue - costOfHeld,
    };
  });
  return { ...state, positions, netDeposits: records.netDeposits };
}
