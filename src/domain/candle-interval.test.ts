import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CANDLE_INTERVALS, closeTimeOf, lastOpenTimes, openTimeOf } from "./candle-interval.ts";

const at = (text: string): number => Date.parse(text);
const text = (timeMs: number): string => new Date(timeMs).toISOString();

describe("candle times", () => {
  it.each([
    ["1m", "2026-11-21T08:17:42.123Z", "2026-11-21T08:17:00.000Z", "2026-11-21T08:18:00.000Z"],
    ["15m", "2026-11-21T08:17:42.123Z", "2026-11-21T08:15:00.000Z", "2026-11-21T08:30:00.000Z"],
    ["8h", "2026-11-21T08:17:42.123Z", "2026-11-21T08:00:00.000Z", "2026-11-21T16:00:00.000Z"],
    ["1d", "2026-11-21T23:59:59.999Z", "2026-11-21T00:00:00.000Z", "2026-11-22T00:00:00.000Z"],
    // 21 November 2026 is a Saturday
    ["1w", "2026-11-21T08:17:42.123Z", "2026-11-16T00:00:00.000Z", "2026-11-23T00:00:00.000Z"],
    ["1w", "2026-11-16T00:00:00.000Z", "2026-11-16T00:00:00.000Z", "2026-11-23T00:00:00.000Z"],
    ["1w", "2026-11-22T23:59:59.999Z", "2026-11-16T00:00:00.000Z", "2026-11-23T00:00:00.000Z"],
    ["1M", "2026-11-21T08:17:42.123Z", "2026-11-01T00:00:00.000Z", "2026-12-01T00:00:00.000Z"],
    ["1M", "2026-12-31T23:59:59.999Z", "2026-12-01T00:00:00.000Z", "2027-01-01T00:00:00.000Z"],
    ["1M", "2028-02-29T00:00:00.000Z", "2028-02-01T00:00:00.000Z", "2028-03-01T00:00:00.000Z"],
  ] as const)("of %s at %s", (interval, now, open, close) => {
    expect(text(openTimeOf(interval, at(now)))).toBe(open);
    expect(text(closeTimeOf(interval, at(open)))).toBe(close);
  });

  it("lists candles without gaps or overlaps", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...CANDLE_INTERVALS),
        fc.integer({ min: at("2000-01-01"), max: at("2100-01-01") }),
        fc.integer({ min: 1, max: 60 }),
        (interval, now, count) => {
          const opens = lastOpenTimes(interval, now, count);
          expect(opens).toHaveLength(count);
          expect(opens.at(-1)).toBeLessThanOrEqual(now);
          expect(closeTimeOf(interval, opens.at(-1) ?? 0)).toBeGreaterThan(now);
          for (const [index, open] of opens.entries()) {
            expect(openTimeOf(interval, open)).toBe(open);
            const next = opens[index + 1];
            if (next !== undefined) expect(closeTimeOf(interval, open)).toBe(next);
          }
        },
      ),
    );
  });
});
