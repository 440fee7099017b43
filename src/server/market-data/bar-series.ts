import type { Clock } from "../../domain/clock.ts";
import { barSpanAt, firstFrom, type Bar } from "../../strategy/bar-times.ts";
import {
  type BlockSeries,
  lockCandleSeries,
  readCandleBlocks,
  writeCandleBlocks,
} from "../store/market-data/candle-blocks.ts";
import type { Db } from "../store/postgres/db.ts";
import {
  type BaseMinutes,
  baseOf,
  type Contradiction,
  firstOpenAt,
  type HistoryAnswer,
  type HistoryGap,
  type HistoryQuery,
} from "./candle-history.ts";
import type { BaseBar, HistorySource } from "./exchange-history.ts";
import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";

const compress = promisify(deflateRaw);
const expand = promisify(inflateRaw);

/** Number of bars per block: one day of one-minute bars. */
const BLOCK_BARS = 1_440;

const COLUMNS = 5;

/** Bars of one block by index: all opens, then highs, lows, closes and volumes. A missing bar is NaN in each. */
type BarBlock = Float64Array<ArrayBuffer>;

const blockMs = (baseMinutes: BaseMinutes): number => baseMinutes * MINUTE_MS * BLOCK_BARS;

const blockOf = (baseMinutes: BaseMinutes, timeMs: number): number =>
  Math.floor(timeMs / blockMs(baseMinutes));

const emptyBlock = (): BarBlock => new Float64Array(BLOCK_BARS * COLUMNS).fill(Number.NaN);

/** Returns whether a block contains the bar with an index. */
const hasBar = (block: BarBlock, place: number): boolean =>
  !Number.isNaN(block[place] ?? Number.NaN);

/** Returns the bar with an index; every figure is NaN when the bar is missing. */
function barAt(block: BarBlock, place: number): Omit<BaseBar, "openTimeMs"> {
  const at = (column: number): number => block[column * BLOCK_BARS + place] ?? Number.NaN;
  return { open: at(0), high: at(1), low: at(2), close: at(3), volume: at(4) };
}

function putBar(block: BarBlock, place: number, bar: BaseBar): void {
  block[place] = bar.open;
  block[BLOCK_BARS + place] = bar.high;
  block[2 * BLOCK_BARS + place] = bar.low;
  block[3 * BLOCK_BARS + place] = bar.close;
  block[4 * BLOCK_BARS + place] = bar.volume;
}

/** Returns a block in its stored format: little-endian doubles, compressed. */
const packBlock = (block: BarBlock): Promise<Buffer> =>
  compress(Buffer.from(block.buffer), { level: 1 });

async function unpackBlock(packed: Buffer): Promise<BarBlock> {
  const bytes = await expand(packed);
  const block = emptyBlock();
  new Uint8Array(block.buffer).set(bytes.subarray(0, block.byteLength));
  return block;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Number of closed bars requested again with the newest ones, to detect a source that changes them. */
const OVERLAP_BARS = 2;

/** The known part of a block. */
interface KnownBlock {
  readonly bars: BarBlock;
  readonly knownUntilMs: number;
  readonly readAtMs: number;
}

interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Returns the ranges to request from the source before blocks are complete up to a time. */
function missingRanges(
  known: ReadonlyMap<number, KnownBlock>,
  wanted: {
    readonly baseMinutes: BaseMinutes;
    readonly first: number;
    readonly last: number;
    /** Close time of the newest requested bar. */
    readonly untilMs: number;
    readonly nowMs: number;
  },
): readonly TimeRange[] {
  const lengthMs = blockMs(wanted.baseMinutes);
  const baseMs = wanted.baseMinutes * MINUTE_MS;
  const ranges: TimeRange[] = [];
  const add = (fromMs: number, toMs: number) => {
    const last = ranges.at(-1);
    if (last?.toMs === fromMs) ranges[ranges.length - 1] = { fromMs: last.fromMs, toMs };
    else if (fromMs < toMs) ranges.push({ fromMs, toMs });
  };
  for (let number = wanted.first; number <= wanted.last; number += 1) {
    const startMs = number * lengthMs;
    const endMs = Math.min(startMs + lengthMs, Math.floor(wanted.nowMs / baseMs) * baseMs);
    const untilMs = Math.min(startMs + lengthMs, wanted.untilMs);
    const block = known.get(number);
    if (block === undefined) {
      add(startMs, endMs);
      continue;
    }
    const hole = dueHole(block, startMs, baseMs, wanted.nowMs);
    if (hole !== null) add(hole.fromMs, hole.toMs);
    if (block.knownUntilMs < untilMs) {
      const overlapMs = Math.max(startMs, block.knownUntilMs - OVERLAP_BARS * baseMs);
      add(Math.max(overlapMs, hole?.toMs ?? 0), endMs);
    }
  }
  return ranges;
}

/**
 * Returns a gap that the source may have filled by now; gaps are requested again at intervals that grow with their age.
 */
function dueHole(
  { bars, knownUntilMs, readAtMs }: KnownBlock,
  startMs: number,
  baseMs: number,
  nowMs: number,
): TimeRange | null {
  const places = Math.min(BLOCK_BARS, (knownUntilMs - startMs) / baseMs);
  let [first, last] = [-1, -1];
  for (let place = 0; place < places; place += 1) {
    if (hasBar(bars, place)) continue;
    if (first < 0) first = place;
    last = place;
  }
  if (first < 0) return null;
  const ageMs = nowMs - (startMs + last * baseMs);
  const pauseMs = ageMs < HOUR_MS ? MINUTE_MS : ageMs < DAY_MS ? HOUR_MS : 7 * DAY_MS;
  if (nowMs - readAtMs < pauseMs) return null;
  return { fromMs: startMs + first * baseMs, toMs: startMs + (last + 1) * baseMs };
}

/** Builds the bars of an interval; a bar with a missing part is left out and becomes a gap. */
function buildBars(
  blocks: ReadonlyMap<number, BarBlock>,
  range: {
    readonly intervalMinutes: number;
    readonly baseMinutes: BaseMinutes;
    readonly fromMs: number;
    readonly toMs: number;
  },
): { readonly bars: readonly Bar[]; readonly gaps: readonly HistoryGap[] } {
  const bars: Bar[] = [];
  const gaps: HistoryGap[] = [];
  let openTimeMs = firstOpenAt(range.intervalMinutes, range.fromMs);
  for (;;) {
    const span = barSpanAt(range.intervalMinutes, openTimeMs);
    if (span.closeTimeMs > range.toMs) return { bars, gaps };
    const bar = buildBar(blocks, range.baseMinutes, span);
    const last = bars.at(-1);
    if (bar !== null) {
      if (last !== undefined && last.closeTimeMs !== span.openTimeMs) {
        gaps.push({ fromMs: last.closeTimeMs, toMs: span.openTimeMs });
      }
      bars.push(bar);
    }
    openTimeMs = span.closeTimeMs;
  }
}

function buildBar(
  blocks: ReadonlyMap<number, BarBlock>,
  baseMinutes: BaseMinutes,
  span: Pick<Bar, "openTimeMs" | "closeTimeMs">,
): Bar | null {
  const baseMs = baseMinutes * MINUTE_MS;
  let built: Omit<Bar, "openTimeMs" | "closeTimeMs"> | null = null;
  for (let atMs = span.openTimeMs; atMs < span.closeTimeMs; atMs += baseMs) {
    const number = blockOf(baseMinutes, atMs);
    const block = blocks.get(number);
    const place = (atMs - number * blockMs(baseMinutes)) / baseMs;
    if (block === undefined || place >= BLOCK_BARS || !hasBar(block, place)) return null;
    const part = barAt(block, place);
    built =
      built === null
        ? part
        : {
            open: built.open,
            high: Math.max(built.high, part.high),
            low: Math.min(built.low, part.low),
            close: part.close,
            volume: built.volume + part.volume,
          };
  }
  return built === null ? null : { ...span, ...built };
}

/** A bar still missing this long after its end, in milliseconds, counts as untraded or lost. */
const SETTLED_AFTER_MS = 10 * MINUTE_MS;

/** Maximum number of blocks written per transaction. */
const BLOCKS_PER_WRITE = 30;

/** A source's answer for a range. */
interface RangeAnswer extends TimeRange {
  readonly bars: readonly BaseBar[];
}

export interface SeriesDeps {
  readonly db: Db;
  readonly clock: Clock;
  /** Changes found at the last request of each series; kept until its next request. */
  readonly doubts?: Map<string, readonly ChangedBar[]>;
}

/**
 * Answers a query from one source: stored bars, completed by a request. A stored bar is never replaced; a source that
 * returns a different one contradicts itself.
 */
export async function readSeries(
  deps: SeriesDeps,
  source: HistorySource,
  query: HistoryQuery,
): Promise<HistoryAnswer> {
  const { doubts = new Map() } = deps;
  const baseMinutes = baseOf(query.intervalMinutes);
  const series = { source: source.name, symbol: query.symbol, baseMinutes };
  const first = blockOf(baseMinutes, query.fromMs);
  const last = Math.max(first, blockOf(baseMinutes, query.toMs - 1));
  const known = await loadBlocks(deps.db, series, first, last);
  const nowMs = deps.clock.now();
  const wanted = { baseMinutes, first, last, untilMs: query.toMs, nowMs };
  const told: RangeAnswer[] = [];
  for (const range of missingRanges(known, wanted)) {
    told.push({ ...range, bars: await source.bars({ ...series, baseMinutes, ...range }) });
  }
  const key = `${source.name} ${query.symbol} ${baseMinutes}`;
  if (told.length > 0) {
    doubts.set(key, await storeTold(deps, { ...series, baseMinutes }, told, known));
  }
  const blocks = new Map([...known].map(([number, { bars }]) => [number, bars]));
  const built = buildBars(blocks, { ...query, baseMinutes });
  return {
    source: source.name,
    ...built,
    contradictions: toContradictions(doubts.get(key) ?? [], query),
  };
}

async function loadBlocks(
  db: Db,
  series: BlockSeries,
  first: number,
  last: number,
): Promise<Map<number, KnownBlock>> {
  const rows = await readCandleBlocks(db, series, first, last);
  const blocks = await Promise.all(
    rows.map(async ({ block, bars, knownUntil, readAt }) => {
      const known = {
        bars: await unpackBlock(bars),
        knownUntilMs: knownUntil.getTime(),
        readAtMs: readAt.getTime(),
      };
      return [block, known] as const;
    }),
  );
  return new Map(blocks);
}

/** A stored bar and the source's present version of it. */
export interface ChangedBar {
  readonly openTimeMs: number;
  readonly text: string;
}

type Series = BlockSeries & { readonly baseMinutes: BaseMinutes };

async function storeTold(
  { db, clock }: SeriesDeps,
  series: Series,
  told: readonly RangeAnswer[],
  known: Map<number, KnownBlock>,
): Promise<readonly ChangedBar[]> {
  const numbers = told.flatMap(({ fromMs, toMs }) => {
    const first = blockOf(series.baseMinutes, fromMs);
    const count = blockOf(series.baseMinutes, toMs - 1) - first + 1;
    return Array.from({ length: count }, (_, at) => first + at);
  });
  const changed: ChangedBar[] = [];
  for (let from = 0; from < numbers.length; from += BLOCKS_PER_WRITE) {
    const chunk = numbers.slice(from, from + BLOCKS_PER_WRITE);
    await db.transaction().execute(async (transaction) => {
      await lockCandleSeries(transaction, series);
      const stored = await loadBlocks(transaction, series, Math.min(...chunk), Math.max(...chunk));
      const merged = chunk.map((number) => {
        const block = mergeBlock(series, number, stored.get(number), told, clock.now(), changed);
        known.set(number, block);
        return [number, block] as const;
      });
      const rows = await Promise.all(
        merged.map(async ([block, { bars, knownUntilMs, readAtMs }]) => ({
          block,
          bars: await packBlock(bars),
          knownUntil: new Date(knownUntilMs),
          readAt: new Date(readAtMs),
        })),
      );
      await writeCandleBlocks(transaction, series, rows);
    });
  }
  return changed;
}

function mergeBlock(
  { source, baseMinutes }: Series,
  number: number,
  stored: KnownBlock | undefined,
  told: readonly RangeAnswer[],
  nowMs: number,
  changed: ChangedBar[],
): KnownBlock {
  const baseMs = baseMinutes * MINUTE_MS;
  const startMs = number * blockMs(baseMinutes);
  const endMs = startMs + blockMs(baseMinutes);
  const bars = stored?.bars ?? emptyBlock();
  let knownUntilMs = stored?.knownUntilMs ?? startMs;
  for (const { fromMs, toMs, bars: fresh } of told) {
    if (fromMs >= endMs || toMs <= startMs) continue;
    let lastMs = 0;
    for (let at = firstFrom(fresh, startMs); at < fresh.length; at += 1) {
      const bar = fresh[at];
      if (bar === undefined || bar.openTimeMs >= endMs) break;
      lastMs = bar.openTimeMs + baseMs;
      const place = (bar.openTimeMs - startMs) / baseMs;
      if (!hasBar(bars, place)) putBar(bars, place, bar);
      else if (!isSame(bars, place, bar)) changed.push(toChanged(source, bars, place, bar));
    }
    // A bar that has just ended may still arrive
    const settledMs = Math.min(toMs, Math.floor((nowMs - SETTLED_AFTER_MS) / baseMs) * baseMs);
    knownUntilMs = Math.max(knownUntilMs, lastMs, Math.min(endMs, settledMs));
  }
  return { bars, knownUntilMs, readAtMs: nowMs };
}

function isSame(block: BarBlock, place: number, bar: BaseBar): boolean {
  const { open, high, low, close, volume } = barAt(block, place);
  return (
    open === bar.open &&
    high === bar.high &&
    low === bar.low &&
    close === bar.close &&
    volume === bar.volume
  );
}

const toChanged = (source: string, block: BarBlock, place: number, bar: BaseBar): ChangedBar => ({
  openTimeMs: bar.openTimeMs,
  text: `${source} changed its candle of ${utcText(bar.openTimeMs)} after it had closed: from ${barAt(block, place).close} to ${bar.close}.`,
});

/** Returns the contradictions; from a changed bar on nothing of the source is trusted, until the change disappears. */
function toContradictions(
  changed: readonly ChangedBar[],
  { intervalMinutes, toMs }: HistoryQuery,
): readonly Contradiction[] {
  const [first] = changed.toSorted((one, other) => one.openTimeMs - other.openTimeMs);
  if (first === undefined) return [];
  const contradictions: Contradiction[] = [];
  let { closeTimeMs } = barSpanAt(intervalMinutes, first.openTimeMs);
  while (closeTimeMs <= toMs) {
    contradictions.push({ closedAtMs: closeTimeMs, text: first.text });
    closeTimeMs = barSpanAt(intervalMinutes, closeTimeMs).closeTimeMs;
  }
  return contradictions;
}

/**
 * Maximum relative difference between two exchanges' closes of one bar, even in volatile markets; beyond it one of them
 * is wrong.
 */
const MAX_APART = 0.03;

/** Bars of one market from a named source. */
interface NamedBars {
  readonly source: string;
  readonly bars: readonly Bar[];
}

const utcText = (timeMs: number): string =>
  `${new Date(timeMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** Returns the bars for which two sources have different prices. */
export function compareBars(one: NamedBars, other: NamedBars): readonly Contradiction[] {
  const closes = new Map(other.bars.map((bar) => [bar.closeTimeMs, bar.close]));
  return one.bars.flatMap(({ closeTimeMs, close }) => {
    const otherClose = closes.get(closeTimeMs);
    if (otherClose === undefined) return [];
    const apart = Math.abs(close - otherClose) / Math.min(close, otherClose);
    if (apart <= MAX_APART) return [];
    const text = `The candle that closed at ${utcText(closeTimeMs)} ended at ${close} on ${one.source} and at ${otherClose} on ${other.source}.`;
    return [{ closedAtMs: closeTimeMs, text }];
  });
}
