import type { Db } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";

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
  return on(db).rows<StoredBlock>`
    select block, bars, known_until as "knownUntil", read_at as "readAt" from candle_blocks
    where source = ${source} and symbol = ${symbol} and base_minutes = ${baseMinutes}
      and block between ${first} and ${last}
    order by block`;
}

/** Locks the series against writes by other servers until the transaction ends. */
export async function lockCandleSeries(
  transaction: Db,
  { source, symbol, baseMinutes }: BlockSeries,
): Promise<void> {
  await on(transaction).lock(`${source} ${symbol} ${baseMinutes}`, 35);
}

export async function writeCandleBlocks(
  transaction: Db,
  { source, symbol, baseMinutes }: BlockSeries,
  blocks: readonly StoredBlock[],
): Promise<void> {
  for (const { block, bars, knownUntil, readAt } of blocks) {
    await on(transaction).change`
      insert into candle_blocks (source, symbol, base_minutes, block, bars, known_until, read_at)
      values (${source}, ${symbol}, ${baseMinutes}, ${block}, ${bars}, ${knownUntil}, ${readAt})
      on conflict (source, symbol, base_minutes, block) do update set bars = excluded.bars,
        known_until = excluded.known_until, read_at = excluded.read_at`;
  }
}
