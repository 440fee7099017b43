import { type BarBlock, BLOCK_BARS, blockMs, hasBar } from "./bar-block.ts";
import type { BaseMinutes } from "./base-minutes.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Number of closed bars requested again with the newest ones, to detect a source that changes them. */
const OVERLAP_BARS = 2;

/** The known part of a block. */
export interface KnownBlock {
  readonly bars: BarBlock;
  readonly knownUntilMs: number;
  readonly readAtMs: number;
}

export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Returns the ranges to request from the source before blocks are complete up to a time. */
export function missingRanges(
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
