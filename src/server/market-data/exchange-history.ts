import { type CandleFigures, isAscending, isCandle } from "../../domain/candle-interval.ts";
import type { Clock } from "../../domain/clock.ts";
import { type BaseMinutes, type CandleSource, CandleSourceError } from "./candle-history.ts";
import type { KlineDialect } from "./exchange-dialects.ts";

/** One bar as returned by an exchange. */
export interface BaseBar extends CandleFigures {
  readonly openTimeMs: number;
}

/** Range of open times from `fromMs` (inclusive) to `toMs` (exclusive), both aligned to bars. */
export interface BaseRange {
  readonly symbol: string;
  readonly baseMinutes: BaseMinutes;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Source of an exchange's closed bars. */
export interface HistorySource {
  /** Name shown beside charts. */
  readonly name: string;
  /**
   * Returns the exchange's closed bars of a range, oldest first, each once.
   *
   * Throws `CandleSourceError` when it has no answer or an implausible one.
   */
  bars(range: BaseRange): Promise<readonly BaseBar[]>;
}

/** HTTP access of a source, passed in so that tests control the answers. */
export interface ExchangeTransport {
  get(url: string): Promise<{
    readonly status: number;
    readonly body: string;
    readonly headers: ReadonlyMap<string, string>;
  }>;
  sleep(ms: number): Promise<void>;
}

/** Bars per response, at both exchanges. */
const PAGE_BARS = 1_000;

/** Number of pages requested concurrently. */
const PAGES_AT_ONCE = 16;

/** Attempts per request, including the first. */
const MAX_ATTEMPTS = 2;
const RETRY_AFTER_MS = 250;
const MINUTE_MS = 60_000;

/** Time after a bar's end at which it counts as closed, because the next one has begun, in milliseconds. */
const CLOSED_AFTER_MS = 2_000;

/** Pause after a rate-limit response without a stated duration, in milliseconds. */
const LIMITED_REST_MS = 30_000;
const MAX_REST_MS = 10 * MINUTE_MS;

/** Returns the work's result, tried again once unless there is no hope in it. */
async function askTwice<T>(
  name: string,
  { sleep }: ExchangeTransport,
  work: () => Promise<T>,
  isHopeless: () => boolean = () => false,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const known = error instanceof CandleSourceError ? error : null;
      if (attempt === MAX_ATTEMPTS || known?.kind === "symbol_unknown" || isHopeless()) {
        throw known ?? new CandleSourceError("unavailable", `${name} did not answer`, error);
      }
      await sleep(RETRY_AFTER_MS);
    }
  }
}

function refuseUnknown(name: string, status: number, symbol: string): void {
  if (status !== 400 && status !== 404) return;
  throw new CandleSourceError("symbol_unknown", `${name} does not know ${symbol}`);
}

/** Creates the source of an exchange's newest candles, the one that is not closed among them. */
export function createExchangeKlines(
  dialect: KlineDialect,
  transport: ExchangeTransport,
): CandleSource {
  const { name } = dialect;
  return {
    name,
    candles: (query) =>
      askTwice(name, transport, async () => {
        const { status, body } = await transport.get(dialect.url(query));
        refuseUnknown(name, status, query.symbol);
        if (status !== 200) throw unavailable(`${name} answered ${status}`);
        const bars = dialect.rows(parse(name, body), query.symbol).map((row) => readBar(name, row));
        if (!isAscending(bars.map(({ openTimeMs }) => openTimeMs))) {
          throw unavailable(`${name} answered with candles out of order or twice`);
        }
        return bars.slice(-query.limit).map(({ openTimeMs, ...figures }) => ({
          time: Math.floor(openTimeMs / 1_000),
          ...figures,
        }));
      }),
  };
}

/** The intervals of the bars that histories are built from. */
const INTERVALS = { 1: "1m", 15: "15m", 60: "1h" } as const;

/** Creates a history source from an exchange's public HTTP interface. */
export function createExchangeHistory(
  dialect: KlineDialect,
  deps: {
    readonly transport: ExchangeTransport;
    readonly clock: Clock;
    readonly requestsPerMinute: number;
  },
): HistorySource {
  const { name } = dialect;
  const { transport, clock, requestsPerMinute } = deps;
  let restsUntilMs = 0;
  let minute = 0;
  let asked = 0;

  function countRequest(): void {
    const now = clock.now();
    if (now < restsUntilMs) throw unavailable(`${name} said it is asked too often`);
    const current = Math.floor(now / MINUTE_MS);
    if (current !== minute) [minute, asked] = [current, 0];
    asked += 1;
    if (asked > requestsPerMinute) {
      throw unavailable(`${name} was asked as often as this server may in a minute`);
    }
  }

  async function askOnce(page: BaseRange): Promise<readonly BaseBar[]> {
    countRequest();
    const { symbol, baseMinutes } = page;
    const interval = INTERVALS[baseMinutes];
    const url = dialect.url({ symbol, interval, limit: PAGE_BARS, span: page });
    const { status, body, headers } = await transport.get(url);
    refuseUnknown(name, status, symbol);
    if (status === 429 || status === 418 || status === 403) {
      const seconds = Number(headers.get("retry-after") ?? Number.NaN);
      const restMs = Number.isFinite(seconds) ? seconds * 1_000 : LIMITED_REST_MS;
      restsUntilMs = clock.now() + Math.min(MAX_REST_MS, Math.max(1_000, restMs));
    }
    if (status !== 200) throw unavailable(`${name} answered ${status}`);
    return readBars(name, dialect.rows(parse(name, body), page.symbol), page);
  }

  const ask = (page: BaseRange) =>
    askTwice(
      name,
      transport,
      () => askOnce(page),
      () => clock.now() < restsUntilMs,
    );

  return {
    name,
    async bars(range) {
      const baseMs = range.baseMinutes * MINUTE_MS;
      const pages = pagesOf(range, clock.now());
      const answers: (readonly BaseBar[])[] = [];
      let next = 0;
      const work = async () => {
        for (let at = next; at < pages.length; at = next) {
          next += 1;
          const page = pages[at];
          if (page !== undefined) answers[at] = await ask(page);
        }
      };
      await Promise.all(Array.from({ length: PAGES_AT_ONCE }, work));
      const bars = answers.flat();
      return bars.filter(({ openTimeMs }, at) => {
        const endedAgoMs = clock.now() - (openTimeMs + baseMs);
        const hasNext = at + 1 < bars.length || endedAgoMs >= baseMs;
        return openTimeMs < range.toMs && endedAgoMs >= CLOSED_AFTER_MS && hasNext;
      });
    },
  };
}

const unavailable = (message: string) => new CandleSourceError("unavailable", message);

/**
 * Returns the pages to request, with one extra bar where it has begun: its presence proves that the last requested bar
 * is closed.
 */
function pagesOf(range: BaseRange, nowMs: number): readonly BaseRange[] {
  const baseMs = range.baseMinutes * MINUTE_MS;
  const endMs = Math.min(range.toMs + baseMs, Math.floor(nowMs / baseMs) * baseMs + baseMs);
  const pages: BaseRange[] = [];
  for (let fromMs = range.fromMs; fromMs < endMs; fromMs += PAGE_BARS * baseMs) {
    pages.push({ ...range, fromMs, toMs: Math.min(endMs, fromMs + PAGE_BARS * baseMs) });
  }
  return pages;
}

function parse(name: string, body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    throw new CandleSourceError("unavailable", `${name} answered with something unreadable`, error);
  }
}

/** Parses rows into consecutive bars of the range; any other row makes the whole response invalid. */
function readBars(name: string, rows: readonly unknown[], range: BaseRange): BaseBar[] {
  const baseMs = range.baseMinutes * MINUTE_MS;
  let before = -Infinity;
  return rows.map((row) => {
    const bar = readBar(name, row);
    const { openTimeMs } = bar;
    const isInside = openTimeMs >= range.fromMs && openTimeMs < range.toMs;
    if (!isInside || openTimeMs % baseMs !== 0) {
      throw unavailable(`${name} answered with a candle that was not asked for`);
    }
    if (openTimeMs <= before) {
      throw unavailable(`${name} answered with candles out of order or twice`);
    }
    before = openTimeMs;
    return bar;
  });
}

function readBar(name: string, row: unknown): BaseBar {
  const cells: readonly unknown[] = Array.isArray(row) ? row.slice(0, 6) : [];
  const [openTimeMs, open, high, low, close, volume] = cells.map(toFigure);
  if (
    openTimeMs === undefined ||
    open === undefined ||
    high === undefined ||
    low === undefined ||
    close === undefined ||
    volume === undefined ||
    !isCandle({ open, high, low, close, volume })
  ) {
    throw unavailable(`${name} answered with something that is no candle`);
  }
  return { openTimeMs, open, high, low, close, volume };
}

// Only for charts and conditions, never for amounts of money
function toFigure(cell: unknown): number {
  if (typeof cell === "number") return cell;
  return typeof cell === "string" && /^\d+(?:\.\d+)?$/.test(cell) ? Number(cell) : Number.NaN;
}
