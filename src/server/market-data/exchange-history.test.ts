import { describe, expect, it } from "vitest";
import { createTestClock } from "../../../test/clock.ts";
import { DOCUMENTED_BYBIT, RECORDED_BINANCE } from "../../../test/recorded/exchange-candles.ts";
import { binanceKlines, bybitKlines, type KlineDialect } from "./exchange-dialects.ts";
import { createExchangeHistory } from "./exchange-history.ts";

const MINUTE_MS = 60_000;

interface Answer {
  readonly status?: number;
  readonly body: string;
  readonly retryAfter?: string;
}

function exchange(
  dialect: KlineDialect,
  answer: (url: URL) => Answer,
  { nowMs = Date.parse("2026-11-21T08:00:30Z"), requestsPerMinute = 1_000 } = {},
) {
  const clock = createTestClock(nowMs);
  const urls: URL[] = [];
  const source = createExchangeHistory(dialect, {
    clock,
    requestsPerMinute,
    transport: {
      async get(url) {
        urls.push(new URL(url));
        const { status = 200, body, retryAfter } = answer(new URL(url));
        const headers = new Map(retryAfter === undefined ? [] : [["retry-after", retryAfter]]);
        return { status, body, headers };
      },
      sleep: async () => {},
    },
  });
  return { source, urls, clock };
}

/** Binance as it would answer with one flat bar for every minute up to now. */
const flatMinutes = (nowMs: number) => (url: URL) => {
  const startMs = Number(url.searchParams.get("startTime"));
  const endMs = Math.min(Number(url.searchParams.get("endTime")), nowMs);
  const rows: unknown[] = [];
  for (let openTimeMs = startMs; openTimeMs <= endMs && rows.length < 1_000;) {
    rows.push([openTimeMs, "1.5", "1.5", "1.5", "1.5", "0"]);
    openTimeMs += MINUTE_MS;
  }
  return { body: JSON.stringify(rows) };
};

describe("past candles of an exchange", () => {
  it("are requested from Binance like a recorded request, and read from its recorded answer", async () => {
    const recorded = new URL(RECORDED_BINANCE.request);
    const { source, urls } = exchange(binanceKlines(recorded.origin), () => ({
      body: RECORDED_BINANCE.body,
    }));
    const fromMs = Number(recorded.searchParams.get("startTime"));
    const range = {
      symbol: "BTCUSDT",
      baseMinutes: 1,
      fromMs,
      toMs: fromMs + 20 * MINUTE_MS,
    } as const;
    expect(await source.bars(range)).toEqual([
      {
        openTimeMs: fromMs,
        open: 33_800,
        high: 33_800,
        low: 33_666.01,
        close: 33_784.38,
        volume: 0.649_06,
      },
      {
        openTimeMs: fromMs + MINUTE_MS,
        open: 33_789.26,
        high: 33_845.4,
        low: 33_785.58,
        close: 33_845.4,
        volume: 0.488_792,
      },
    ]);
    const [asked] = urls;
    expect(asked?.pathname).toBe(recorded.pathname);
    const names = [...recorded.searchParams.keys()].toSorted();
    expect([...(asked?.searchParams.keys() ?? [])].toSorted()).toEqual(names);
    expect(asked?.searchParams.get("interval")).toBe("1m");
  });

  it("are requested from Bybit like its documentation, and read from its example", async () => {
    const documented = new URL(DOCUMENTED_BYBIT.request);
    const { source, urls } = exchange(bybitKlines(documented.origin), () => ({
      body: DOCUMENTED_BYBIT.body,
    }));
    const fromMs = Number(documented.searchParams.get("start"));
    const toMs = fromMs + 3 * 60 * MINUTE_MS;
    const bars = await source.bars({ symbol: "BTCUSD", baseMinutes: 60, fromMs, toMs });
    expect(bars.map(({ openTimeMs, close }) => [openTimeMs - fromMs, close])).toEqual([
      [0, 17_071.5],
      [3_600_000, 17_071],
      [7_200_000, 17_055.5],
    ]);
    expect(urls[0]?.pathname).toBe(documented.pathname);
    for (const name of documented.searchParams.keys()) {
      expect(urls[0]?.searchParams.has(name), name).toBe(true);
    }
  });

  it("arrive in pages of a thousand, each bar once", async () => {
    const { source, urls, clock } = exchange(binanceKlines(), (url) =>
      flatMinutes(clock.now())(url),
    );
    const toMs = clock.now() - 30_000;
    const fromMs = toMs - 5_000 * MINUTE_MS;
    const bars = await source.bars({ symbol: "SOLUSDT", baseMinutes: 1, fromMs, toMs });
    expect(bars.map(({ openTimeMs }) => openTimeMs)).toEqual(
      Array.from({ length: 5_000 }, (_, at) => fromMs + at * MINUTE_MS),
    );
    expect(urls).toHaveLength(6);
  });

  it.each([
    ["the next one has begun and it ended 2 s ago", "08:00:02", true, true],
    ["it ended less than 2 s ago", "08:00:01", true, false],
    ["the next one has not begun", "08:00:30", false, false],
    ["the next one should be over, too", "08:01:00", false, true],
  ])("count as closed or not: %s", async (_, time, hasNext, isClosed) => {
    const nowMs = Date.parse(`2026-11-21T${time}Z`);
    const fromMs = Date.parse("2026-11-21T07:59:00Z");
    const rows = [fromMs, fromMs + MINUTE_MS].slice(0, hasNext ? 2 : 1);
    const body = JSON.stringify(rows.map((openTimeMs) => [openTimeMs, 1, 1, 1, 1, 1]));
    const { source } = exchange(binanceKlines(), () => ({ body }), { nowMs });
    const toMs = fromMs + MINUTE_MS;
    const bars = await source.bars({ symbol: "SOLUSDT", baseMinutes: 1, fromMs, toMs });
    expect(bars).toHaveLength(isClosed ? 1 : 0);
  });

  it("are not requested while the exchange limits us", async () => {
    let isLimited = true;
    const { source, urls, clock } = exchange(binanceKlines(), (url) =>
      isLimited ? { status: 429, body: "", retryAfter: "20" } : flatMinutes(clock.now())(url),
    );
    const fromMs = clock.now() - 30_000 - 10 * MINUTE_MS;
    const range = { symbol: "SOLUSDT", baseMinutes: 1, fromMs, toMs: fromMs + MINUTE_MS } as const;
    await expect(source.bars(range)).rejects.toThrow("Binance answered 429");
    isLimited = false;
    clock.advance(19_000);
    await expect(source.bars(range)).rejects.toThrow("asked too often");
    expect(urls).toHaveLength(1);
    clock.advance(2_000);
    expect(await source.bars(range)).toHaveLength(1);
  });

  it("are requested within a limit of requests a minute", async () => {
    const { source, urls, clock } = exchange(
      binanceKlines(),
      (url) => flatMinutes(clock.now())(url),
      { requestsPerMinute: 3 },
    );
    const toMs = clock.now() - 30_000;
    const range = {
      symbol: "SOLUSDT",
      baseMinutes: 1,
      fromMs: toMs - 9_000 * MINUTE_MS,
      toMs,
    } as const;
    await expect(source.bars(range)).rejects.toMatchObject({ kind: "unavailable" });
    expect(urls).toHaveLength(3);
  });
});
