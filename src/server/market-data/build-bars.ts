import { barSpanAt } from "../../strategy/bar-times.ts";
import type { Bar } from "../../strategy/bar.ts";
import { type BarBlock, barAt, BLOCK_BARS, blockMs, blockOf, hasBar } from "./bar-block.ts";
import { firstOpenAt, type HistoryGap } from "./candle-history.ts";
import type { BaseMinutes } from "./base-minutes.ts";

const MINUTE_MS = 60_000;

/** Builds the bars of an interval; a bar with a missing part is left out and becomes a gap. */
export function buildBars(
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
