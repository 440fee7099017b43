import { mulDiv } from "../../domain/amount.ts";
import type { AgentId } from "../../domain/ids.ts";
import { type Market, PRICE_DECIMALS } from "../../domain/market.ts";
import { exitFeesOfRest } from "../../domain/ledger/realise.ts";
import type { AccountState } from "../../domain/position.ts";
import { VENUE_PROFILES } from "../../venues/profiles.ts";
import type { VenueFacts } from "../../venues/venue.ts";
import { type AssetBook, readAssetBook, readPositionTrades } from "../store/ledger/asset-book.ts";
import type { Db } from "../store/postgres/db.ts";

/** Adds cost and deposits from the book for venues that do not store them. */
export async function withRecordedFigures(
  db: Db,
  venue: VenueFacts,
  agentId: AgentId,
  state: AccountState,
): Promise<AccountState> {
  if (venue.keepsNoCost !== true) return state;
  const { markets } = VENUE_PROFILES[venue.id];
  const book = await readAssetBook(
    db,
    agentId,
    markets.map(({ marketId }) => marketId),
  );
  return withAssetBook(state, book, markets, venue.instance.quote.decimals);
}

/**
 * Returns the account as it is shown: with the figures of the book, and a position's PnL without the fees of what is closed
 * of it.
 */
export async function withShownFigures(
  db: Db,
  venue: VenueFacts,
  agentId: AgentId,
  state: AccountState,
): Promise<AccountState> {
  if (venue.keepsNoCost === true) return withRecordedFigures(db, venue, agentId, state);
  const positions = state.positions.map(async (position) => {
    const trades = await readPositionTrades(db, agentId, position.marketId);
    const { side, baseSize, unrealizedPnl, entryFees } = position;
    const held = trades.at(-1)?.held.base ?? 0n;
    // Fees of trades that the book does not know yet stay in
    if (entryFees === undefined || held !== (side === "long" ? baseSize : -baseSize))
      return position;
    const closed = exitFeesOfRest(trades);
    const own = { unrealizedPnl: unrealizedPnl - closed, entryFees: entryFees - closed };
    return { ...position, ...own };
  });
  return { ...state, positions: await Promise.all(positions) };
}

/**
 * Returns the account with entry prices, PnL and net deposits of the book.
 *
 * A holding of unknown cost, a gift for instance, is marked as one. Prices have six decimals.
 */
export function withAssetBook(
  state: AccountState,
  { held, netDeposits }: AssetBook,
  markets: readonly Market[],
  quoteDecimals: number,
): AccountState {
  const positions = state.positions.map((position) => {
    const market = markets.find(({ marketId }) => marketId === position.marketId);
    const { base = 0n, cost = null, fees = null } = held.get(position.marketId) ?? {};
    if (market === undefined || base <= 0n || cost === null || fees === null) {
      return { ...position, isCostUnknown: true as const };
    }
    const paid = -cost - fees;
    const perWhole = 10n ** BigInt(market.baseDecimals + PRICE_DECIMALS);
    return {
      ...position,
      entryPrice: mulDiv(paid, perWhole, base * 10n ** BigInt(quoteDecimals), "half_up"),
      unrealizedPnl: position.positionValue - mulDiv(paid, position.baseSize, base, "down"),
      entryFees: mulDiv(fees, position.baseSize, base, "down"),
    };
  });
  return { ...state, positions, netDeposits };
}
