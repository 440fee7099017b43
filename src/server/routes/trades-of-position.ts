import { tradedSignal } from "../../domain/order/trade-log.ts";
import { kindOf } from "../../venues/profiles.ts";
import type { Db } from "../store/postgres/db.ts";
import { listTradesUpTo, type TradeLogRow } from "../store/trade-log/trade-log.ts";

const PAGE = 100;

export type PositionTrade = Awaited<ReturnType<typeof listTradesUpTo>>[number];

/**
 * Returns the trades in an entry's market from its position's opening up to and including the entry, oldest first. What
 * an opening finds does not matter to what follows it, so that no older trade is read.
 */
export async function readTradesOfPosition(
  db: Db,
  entry: TradeLogRow,
): Promise<readonly PositionTrade[]> {
  const kind = kindOf(entry.market);
  const trades: PositionTrade[] = [];
  for (let upTo = entry.seq; ;) {
    const page = await listTradesUpTo(db, entry, { upTo, limit: PAGE });
    const opening = page.findIndex(({ signal, side }) =>
      tradedSignal(signal, side, kind).startsWith("OPEN_"),
    );
    trades.push(...(opening < 0 ? page : page.slice(0, opening + 1)));
    const oldest = page.at(-1);
    if (opening >= 0 || oldest === undefined || page.length < PAGE) return trades.toReversed();
    upTo = (BigInt(oldest.seq) - 1n).toString();
  }
}
