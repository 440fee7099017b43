import { describe, expect, it } from "vitest";
import { barColumns } from "../../contract/candle-history.ts";
import { listCandles } from "../../contract/candles.ts";
import { createTestClock } from "../../../test/clock.ts";
import { createPracticeMarket } from "../../practice/practice-market.ts";
import { type CandleSource, CandleSourceError } from "./candle-history.ts";
import { createCandles } from "./candles.ts";
import { binanceKlines, bybitKlines, type KlineDialect } from "./exchange-dialects.ts";
import { createExchangeKlines } from "./exchange-history.ts";
import { createPracticeCandles } from "./practice-candles.ts";

const query = { symbol: "SOLUSDT", interval: "1h", limit: 2 } as const;

/** An exchange that gives these answers one after the other. */
function exchange(dialect: KlineDialect, answers: (() => Promise<Response> | Response)[]) {
  const urls: string[] = [];
  const source = createExchangeKlines(dialect, {
    get: async (url) => {
      urls.push(url);
      const answer = await answers.shift()?.();
      if (answer === undefined) throw new Error("Asked once too often");
      return { status: answer.status, body: await answer.text(), headers: new Map() };
    },
    sleep: async () => {},
  });
  return { source, urls };
}

const rows = [
  [1_763_712_000_000, "155.1", "156.0", "154.2", "155.9", "1200.5", 1_763_715_599_999, "0"],
  [1_763_715_600_000, "155.9", "157.0", "155.5", "156.4", "900", 1_763_719_199_999, "0"],
];

describe("exchange candles", () => {
  it("reads Binance's rows", async () => {
    const { source, urls } = exchange(binanceKlines(), [() => Response.json(rows)]);
    expect(await source.candles(query)).toEqual([
      { time: 1_763_712_000, open: 155.1, high: 156, low: 154.2, close: 155.9, volume: 1200.5 },
      { time: 1_763_715_600, open: 155.9, high: 157, low: 155.5, close: 156.4, volume: 900 },
    ]);
    expect(urls).toEqual([
      "https://data-api.binance.vision/api/v3/klines?symbol=SOLUSDT&interval=1h&limit=2",
    ]);
  });

  it("reads Bybit's rows, which come newest first", async () => {
    const list = rows.map((row) => row.slice(0, 6).map(String)).toReversed();
    const { source, urls } = exchange(bybitKlines(), [
      () => Response.json({ retCode: 0, result: { list } }),
    ]);
    const candles = await source.candles(query);
    expect(candles.map(({ time }) => time)).toEqual([1_763_712_000, 1_763_715_600]);
    expect(urls[0]).toContain("interval=60");
  });

  it("asks at most twice, and once for an unknown symbol", async () => {
    const busy = () => new Response("busy", { status: 503 });
    const twice = exchange(binanceKlines(), [busy, () => Response.json(rows)]);
    expect(await twice.source.candles(query)).toHaveLength(2);
    const never = exchange(binanceKlines(), [busy, busy, busy]);
    await expect(never.source.candles(query)).rejects.toMatchObject({ kind: "unavailable" });
    expect(never.urls).toHaveLength(2);
    const unknown = exchange(binanceKlines(), [() => new Response("{}", { status: 400 })]);
    await expect(unknown.source.candles(query)).rejects.toMatchObject({ kind: "symbol_unknown" });
  });

  const [first, second] = rows;
  const changed = (at: number, cell: string) => [first?.with(at, cell), second];

  it.each([
    ["a negative price", changed(3, "-1")],
    ["a price of zero", changed(3, "0")],
    ["a high below the open", changed(2, "155")],
    ["a low above the close", changed(3, "155.95")],
    ["a negative volume", changed(5, "-1")],
    ["an infinite price", changed(2, "1e999")],
    ["the same time twice", [first, first]],
    ["times out of order", [first, second, first]],
  ])("keeps %s from reaching a chart, at either edge", async (_name, body) => {
    const answer = () => Response.json(body);
    const { source } = exchange(binanceKlines(), [answer, answer]);
    await expect(source.candles(query)).rejects.toMatchObject({ kind: "unavailable" });
    // What a page takes from a server
    const figures = (body as readonly (typeof rows)[number][]).map((row) => row.map(Number));
    const candles = figures.map(([time = 0, open, high, low, close, volume]) => ({
      time: time / 1_000,
      open,
      high,
      low,
      close,
      volume,
    }));
    expect(listCandles.response.safeParse({ source: "x", candles }).success).toBe(false);
    const [openTimeMs, open, high, low, close, volume] = [0, 1, 2, 3, 4, 5].map((column) =>
      figures.map((row) => row[column]),
    );
    const columns = { openTimeMs, open, high, low, close, volume };
    expect(barColumns.safeParse(columns).success).toBe(false);
  });

  it("accepts valid candles, at either edge", async () => {
    const { source } = exchange(binanceKlines(), [() => Response.json(rows)]);
    const candles = await source.candles(query);
    expect(listCandles.response.safeParse({ source: "x", candles }).success).toBe(true);
  });

  it.each([null, {}, [[1, "x"]], [[1, "1", "1", "1", "1", "NaN"]], "rows"])(
    "refuses %j as candles",
    async (body) => {
      const { source } = exchange(binanceKlines(), [
        () => Response.json(body),
        () => Response.json(body),
      ]);
      await expect(source.candles(query)).rejects.toBeInstanceOf(CandleSourceError);
    },
  );
});

describe("candles of a deployment", () => {
  const source = (name: string, candles: CandleSource["candles"]): CandleSource => ({
    name,
    candles,
  });
  const down = async () => {
    throw new CandleSourceError("unavailable", "down");
  };

  it("fail over to the second source and leave the first alone for a while", async () => {
    const clock = createTestClock();
    let asked = 0;
    const first = source("first", () => {
      asked += 1;
      return down();
    });
    const candles = createCandles({ sources: [first, source("second", async () => [])], clock });
    expect(await candles.list(query)).toEqual({ source: "second", candles: [] });
    clock.advance(11_000);
    await candles.list(query);
    expect(asked).toBe(1);
    clock.advance(31_000);
    await candles.list(query);
    expect(asked).toBe(2);
  });

  it("are requested once for many browsers", async () => {
    let asked = 0;
    const clock = createTestClock();
    const only = source("only", async () => {
      asked += 1;
      return [];
    });
    const candles = createCandles({ sources: [only], clock });
    await Promise.all(Array.from({ length: 20 }, () => candles.list(query)));
    expect(asked).toBe(1);
    await candles.list({ ...query, interval: "1d" });
    expect(asked).toBe(2);
  });

  it("are not cached as failures", async () => {
    const clock = createTestClock();
    let isUp = false;
    const only = source("only", async () => (isUp ? [] : down()));
    const candles = createCandles({ sources: [only], clock });
    await expect(candles.list(query)).rejects.toMatchObject({ kind: "unavailable" });
    isUp = true;
    expect(await candles.list(query)).toEqual({ source: "only", candles: [] });
  });
});

describe("practice candles", () => {
  const clock = createTestClock(Date.parse("2026-11-21T08:30:00Z"));
  const market = createPracticeMarket();
  const opened: string[] = [];
  const practice = createPracticeCandles(
    {
      label: market.label,
      candle: (asset, span, nowMs) => {
        opened.push(new Date(span.openTimeMs).toISOString().slice(11, 13));
        return market.candle(asset, span, nowMs);
      },
    },
    clock,
  );

  it("come from the market, end now and are computed once", async () => {
    const first = await practice.candles({ ...query, limit: 3 });
    expect(first.map(({ time }) => time)).toEqual([6, 7, 8].map(hourOf));
    expect(first[0]?.close).toBe(first[1]?.open);
    const price = market.priceAt("SOL", clock.now()) ?? 0n;
    expect(first[2]?.close).toBe(Number(price) / 1_000_000);
    clock.advance(3_600_000);
    const later = await practice.candles({ ...query, limit: 3 });
    expect(later.map(({ time }) => time)).toEqual([7, 8, 9].map(hourOf));
    expect(later[0]).toEqual(first[1]);
    expect(later[1]?.close).toBe(later[2]?.open);
    await practice.candles({ ...query, limit: 5 });
    // The one that still runs is drawn anew, closed ones once
    expect(opened).toEqual(["06", "07", "08", "08", "09", "05", "09"]);
  });

  it.each([
    ["1w", ["2026-11-09", "2026-11-16"]],
    ["1M", ["2026-10-01", "2026-11-01"]],
  ] as const)("of %s begin at the usual boundaries", async (interval, days) => {
    const candles = await practice.candles({ ...query, interval, limit: 2 });
    expect(candles.map(({ time }) => new Date(time * 1000).toISOString())).toEqual(
      days.map((day) => `${day}T00:00:00.000Z`),
    );
    expect(candles[0]?.close).toBe(candles[1]?.open);
  });

  it("can be found by the upper-case symbol of a stock", async () => {
    const stock = await practice.candles({ ...query, symbol: "AAPLXUSDT", limit: 1 });
    const price = market.priceAt("AAPLx", clock.now()) ?? 0n;
    expect(stock[0]?.close).toBe(Number(price) / 1_000_000);
  });

  it("do not exist for an asset that the market does not trade", async () => {
    await expect(practice.candles({ ...query, symbol: "DOGEUSDT" })).rejects.toMatchObject({
      kind: "symbol_unknown",
    });
  });
});

const hourOf = (hour: number): number => Date.UTC(2026, 10, 21, hour) / 1000;
