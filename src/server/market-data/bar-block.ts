import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import type { BaseMinutes } from "./base-minutes.ts";
import type { BaseBar } from "./exchange-history.ts";

const compress = promisify(deflateRaw);
const expand = promisify(inflateRaw);

/** Number of bars per block: one day of one-minute bars. */
export const BLOCK_BARS = 1_440;

const COLUMNS = 5;
const MINUTE_MS = 60_000;

/** Bars of one block by index: all opens, then highs, lows, closes and volumes. A missing bar is NaN in each. */
export type BarBlock = Float64Array<ArrayBuffer>;

export const blockMs = (baseMinutes: BaseMinutes): number => baseMinutes * MINUTE_MS * BLOCK_BARS;

export const blockOf = (baseMinutes: BaseMinutes, timeMs: number): number =>
  Math.floor(timeMs / blockMs(baseMinutes));

export const emptyBlock = (): BarBlock => new Float64Array(BLOCK_BARS * COLUMNS).fill(Number.NaN);

/** Returns whether a block contains the bar with an index. */
export const hasBar = (block: BarBlock, place: number): boolean =>
  !Number.isNaN(block[place] ?? Number.NaN);

/** Returns the bar with an index; every figure is NaN when the bar is missing. */
export function barAt(block: BarBlock, place: number): Omit<BaseBar, "openTimeMs"> {
  const at = (column: number): number => block[column * BLOCK_BARS + place] ?? Number.NaN;
  return { open: at(0), high: at(1), low: at(2), close: at(3), volume: at(4) };
}

export function putBar(block: BarBlock, place: number, bar: BaseBar): void {
  block[place] = bar.open;
  block[BLOCK_BARS + place] = bar.high;
  block[2 * BLOCK_BARS + place] = bar.low;
  block[3 * BLOCK_BARS + place] = bar.close;
  block[4 * BLOCK_BARS + place] = bar.volume;
}

/** Returns a block in its stored format: little-endian doubles, compressed. */
export const packBlock = (block: BarBlock): Promise<Buffer> =>
  compress(Buffer.from(block.buffer), { level: 1 });

export async function unpackBlock(packed: Buffer): Promise<BarBlock> {
  const bytes = await expand(packed);
  const block = emptyBlock();
  new Uint8Array(block.buffer).set(bytes.subarray(0, block.byteLength));
  return block;
}
