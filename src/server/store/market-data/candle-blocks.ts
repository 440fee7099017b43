import { sql } from "kysely";
import type { Db } from "../postgres/db.ts";

/** Candles of one source, market and bar length. */
export interface BlockSeries {
  readonly source: string;
  readonly symbol: string;
  readonly baseMinutes: number;
}

/** One stored block. */
export interface StoredBlock {
  readonly block: number;
  /** Compressed candles. */
  readonly bars: Buffer;
  /** Time up to which bars were requested, by open time. */
  readonly knownUntil: Date;
  readonly readAt: Date;
}

/** Returns the blocks of a series between two block numbers, both inclusive. */
export async function readCandleBlocks(
  db: Db,
  { source, symbol, baseMinutes }: BlockSeries,
  first: number,
  last: number,
): Promise<readonly StoredBlock[]> {
  return db
    .selectFrom("candle_blocks")
    .select(["block", "bars", "known_until as knownUntil", "read_at as readAt"])
    .where("source", "=", source)
    .where("symbol", "=", symbol)
    .where("base_minutes", "=", baseMinutes)
    .where("block", ">=", first)
    .where("block", "<=", last)
    .orderBy("block")
    .execute();
}

/** Locks the series against writes by other servers until the transaction ends. */
export async function lockCandleSeries(
  transaction: Db,
  { source, symbol, baseMinutes }: BlockSeries,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${source} ${symbol} ${baseMinutes}`}, 35))`.execute(
    transaction,
  );
}

export async function writeCandleBlocks(
  transaction: Db,
  { source, symbol, baseMinutes }: BlockSeries,
  blocks: readonly StoredBlock[],
): Promise<void> {
  for (const { block, bars, knownUntil, readAt } of blocks) {
    const row = { bars, known_until: knownUntil, read_at: readAt };
    await transaction
      .insertInto("candle_blocks")
      .values({ source, symbol, base_minutes: baseMinutes, block, ...row })
      .onConflict((conflict) =>
        conflict.columns(["source", "symbol", "base_minutes", "block"]).doUpdateSet(row),
      )
      .execute();
  }
}
