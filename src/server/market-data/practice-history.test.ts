import { describe, expect, it } from "vitest";
import { createTestClock } from "../../../test/clock.ts";
import { createPracticeMarket } from "../../practice/practice-market.ts";
import { barSpanAt } from "../../strategy/bar-times.ts";
import { createPracticeCandles } from "./practice-candles.ts";
import { createPracticeHistory } from "./practice-history.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
const clock = createTestClock(Date.parse("2026-11-21T08:30:10Z"));
const market = createPracticeMarket();
const history = createPracticeHistory(market, clock);
const query = { symbol: "SOLUSDT", fromMs: clock.now() - 3 * DAY_MS, toMs: clock.now() };

describe("history of the practice market", () => {
  it("contains the chart's candles, closed ones only", async () => {
    const { source, bars } = await history.bars({ ...query, intervalMinutes: 60 });
    expect(source).toBe("practice market");
    const chart = await createPracticeCandles(market, clock).candles({
      symbol: "SOLUSDT",
      interval: "1h",
      limit: bars.length + 1,
    });
    expect(bars).toMatchObject(
      chart.slice(0, -1).map(({ time, ...figures }) => ({ openTimeMs: time * 1000, ...figures })),
    );
    expect(bars.at(-1)?.closeTimeMs).toBe(Date.parse("2026-11-21T08:00:00Z"));
  });

  it.each([1, 37, 45, 90, 1_440, 2_880, 10_080])(
    "contains every bar of %i minutes in its span once",
    async (intervalMinutes) => {
      const fromMs = clock.now() - 4 * intervalMinutes * MINUTE_MS - DAY_MS;
      const { bars, gaps } = await history.bars({ ...query, intervalMinutes, fromMs });
      expect(bars.length).toBeGreaterThan(2);
      expect(gaps).toEqual([]);
      for (const [at, bar] of bars.entries()) {
        const { openTimeMs, closeTimeMs } = bar;
        expect(barSpanAt(intervalMinutes, openTimeMs)).toEqual({ openTimeMs, closeTimeMs });
        const next = bars[at + 1];
        if (next === undefined) continue;
        expect(next.openTimeMs).toBe(closeTimeMs);
        expect(next.open).toBe(bar.close);
      }
    },
  );

  it("is the same for every way of requesting it", async () => {
    const whole = await history.bars({ ...query, intervalMinutes: 45 });
    const cutMs = whole.bars[40]?.openTimeMs ?? 0;
    const before = await history.bars({ ...query, intervalMinutes: 45, toMs: cutMs });
    const after = await history.bars({ ...query, intervalMinutes: 45, fromMs: cutMs });
    expect([...before.bars, ...after.bars]).toEqual(whole.bars);
  });

  it("does not exist for an asset that the market does not trade", async () => {
    const unknown = history.bars({ ...query, symbol: "DOGEUSDT", intervalMinutes: 60 });
    await expect(unknown).rejects.toMatchObject({ kind: "symbol_unknown" });
  });
});
