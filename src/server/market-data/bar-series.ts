import type { Clock } from "../../domain/clock.ts";
import { barSpanAt } from "../../strategy/bar-times.ts";
import {
  type BlockSeries,
  lockCandleSeries,
  readCandleBlocks,
  writeCandleBlocks,
} from "../store/market-data/candle-blocks.ts";
import type { Db } from "../store/postgres/db.ts";
import {
  type BarBlock,
  barAt,
  blockMs,
  blockOf,
  emptyBlock,
  hasBar,
  packBlock,
  putBar,
  unpackBlock,
} from "./bar-block.ts";
import { baseOf } from "./base-minutes.ts";
import { buildBars } from "./build-bars.ts";
import type { Contradiction, HistoryAnswer, HistoryQuery } from "./candle-history.ts";
import { utcText } from "./compare-sources.ts";
import type { BaseMinutes } from "./base-minutes.ts";
import type { BaseBar, HistorySource } from "./exchange-history.ts";
import { type KnownBlock, missingRanges, type TimeRange } from "./missing-ranges.ts";

const MINUTE_MS = 60_000;

/** A bar still missing this long after its end, in milliseconds, counts as untraded or lost. */
const SETTLED_AFTER_MS = 10 * MINUTE_MS;

/** Maximum number of blocks written per transaction. */
const BLOCKS_PER_WRITE = 30;

/** A source's answer for a range. */
interface Told extends TimeRange {
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
  const told: Told[] = [];
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
  told: readonly Told[],
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
  told: readonly Told[],
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

/** Returns the index of the first bar that opens at or after a time. */
function firstFrom(bars: readonly BaseBar[], openTimeMs: number): number {
  let [low, high] = [0, bars.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((bars[middle]?.openTimeMs ?? Infinity) < openTimeMs) low = middle + 1;
    else high = middle;
  }
  return low;
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
