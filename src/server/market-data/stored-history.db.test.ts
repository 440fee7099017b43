import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTestClock, type TestClock } from "../../../test/clock.ts";
import { createTestDatabase, type TestDatabase } from "../../../test/database.ts";
import { type ExchangeServer, startExchange } from "../../../test/exchange-server.ts";
import { barSpanAt } from "../../strategy/bar-times.ts";
import { getText } from "../main/http-client.ts";
import type { CandleHistory } from "./candle-history.ts";
import { createExchangeHistory } from "./exchange-history.ts";
import { binanceKlines, bybitKlines } from "./exchange-dialects.ts";
import { createStoredHistory } from "./stored-history.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

let clock: TestClock;
let database: TestDatabase;
let first: ExchangeServer;
let second: ExchangeServer;

beforeEach(async () => {
  clock = createTestClock(Date.parse("2026-11-21T08:00:30Z"));
  database = await createTestDatabase();
  first = await startExchange(clock);
  second = await startExchange(clock);
});

afterEach(async () => {
  await first.close();
  await second.close();
  await database.drop();
});

function openHistory(both = false): CandleHistory {
  const transport = { get: (url: string) => getText(url, {}, 2_000), sleep: async () => {} };
  const deps = { transport, clock, requestsPerMinute: 10_000 };
  const sources = [createExchangeHistory(binanceKlines(first.binance), deps)];
  if (both) sources.push(createExchangeHistory(bybitKlines(second.bybit), deps));
  return createStoredHistory({ db: database.as("web").db, clock, sources });
}

const query = (intervalMinutes: number, days = 3) => ({
  symbol: "SOLUSDT",
  intervalMinutes,
  fromMs: clock.now() - days * DAY_MS,
  toMs: clock.now(),
});

describe("stored history", () => {
  it("requests a bar once for any caller and interval", async () => {
    const minutes = await openHistory().bars(query(1));
    expect(minutes.bars).toHaveLength(3 * 1_440 - 1);
    expect(first.requests()).toBeGreaterThan(0);
    expect(await openHistory().bars(query(1))).toEqual(minutes);
    const custom = await openHistory().bars(query(37));
    expect(first.requests()).toBe(0);
    for (const bar of custom.bars) {
      const { openTimeMs, closeTimeMs } = bar;
      expect(barSpanAt(37, openTimeMs)).toEqual({ openTimeMs, closeTimeMs });
      const parts = minutes.bars.filter(
        (part) => part.openTimeMs >= openTimeMs && part.closeTimeMs <= closeTimeMs,
      );
      expect(bar).toEqual({
        openTimeMs,
        closeTimeMs,
        open: parts[0]?.open,
        high: Math.max(...parts.map(({ high }) => high)),
        low: Math.min(...parts.map(({ low }) => low)),
        close: parts.at(-1)?.close,
        volume: parts.reduce((sum, { volume }) => sum + volume, 0),
      });
    }
    expect(custom.gaps).toEqual([]);
  });

  it("continues from its end as time passes", async () => {
    const history = openHistory();
    await history.bars(query(60));
    first.requests();
    clock.advance(2 * 60 * MINUTE_MS);
    const later = await history.bars(query(60));
    expect(later.bars.at(-1)?.closeTimeMs).toBe(Date.parse("2026-11-21T10:00:00Z"));
    expect(first.requests()).toBe(1);
    expect(later.contradictions).toEqual([]);
  });

  it("recognises a gap, leaves out incomplete bars, and fills it once the source has it", async () => {
    const missingMs = Date.parse("2026-11-20T12:34:00Z");
    first.misbehave({ kind: "gap", openTimeMs: missingMs });
    const history = openHistory();
    expect((await history.bars(query(1))).gaps).toEqual([
      { fromMs: missingMs, toMs: missingMs + MINUTE_MS },
    ]);
    const { openTimeMs, closeTimeMs } = barSpanAt(37, missingMs);
    const custom = await history.bars(query(37));
    expect(custom.gaps).toEqual([{ fromMs: openTimeMs, toMs: closeTimeMs }]);
    expect(custom.bars.some((bar) => bar.openTimeMs === openTimeMs)).toBe(false);
    first.misbehave(null);
    first.requests();
    await history.bars(query(1));
    expect(first.requests()).toBe(0);
    clock.advance(61 * MINUTE_MS);
    expect((await history.bars(query(1))).gaps).toEqual([]);
  });

  it("reports where two sources contradict each other, and never mixes them", async () => {
    second.misbehave({ kind: "apart", factor: 1.1 });
    const answer = await openHistory(true).bars(query(1_440));
    expect(answer.source).toBe("Binance");
    expect(answer.contradictions).toHaveLength(answer.bars.length);
    expect(answer.contradictions[0]?.text).toMatch(/on Binance and at .* on Bybit/);
    first.misbehave({ kind: "status", status: 503 });
    clock.advance(DAY_MS);
    const other = await openHistory(true).bars(query(1_440));
    expect(other.source).toBe("Bybit");
    expect(other.bars[0]?.open).toBeCloseTo((answer.bars[1]?.open ?? 0) * 1.1, 6);
  });

  it("is not requested for a market that no agent trades", async () => {
    const unknown = openHistory().bars({ ...query(60), symbol: "DOGEUSDT" });
    await expect(unknown).rejects.toMatchObject({ kind: "symbol_unknown" });
    expect(first.requests()).toBe(0);
  });
});
