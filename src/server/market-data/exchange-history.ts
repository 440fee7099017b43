import { isCandle } from "../../domain/candle.ts";
import type { Clock } from "../../domain/clock.ts";
import type { BaseMinutes } from "./base-minutes.ts";
import { CandleSourceError } from "./candle-source.ts";

/** One bar as returned by an exchange. */
export interface BaseBar {
  readonly openTimeMs: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
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

/** Request and response format of an exchange's past bars. */
export interface HistoryDialect {
  readonly name: string;
  url(range: BaseRange): string;
  /** Returns the raw rows, `[openTimeMs, open, high, low, close, volume]`, oldest first. */
  rows(body: unknown, symbol: string): readonly unknown[];
}

/** HTTP and clock access of a source, passed in so that tests control the answers. */
export interface HistoryTransport {
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

const MAX_ATTEMPTS = 2;
const RETRY_AFTER_MS = 250;
const MINUTE_MS = 60_000;

/** Time after a bar's end at which it counts as closed, because the next one has begun, in milliseconds. */
const CLOSED_AFTER_MS = 2_000;

/** Pause after a rate-limit response without a stated duration, in milliseconds. */
const LIMITED_REST_MS = 30_000;
const MAX_REST_MS = 10 * MINUTE_MS;

/** Creates a history source from an exchange's public HTTP interface. */
export function createExchangeHistory(
  dialect: HistoryDialect,
  deps: {
    readonly transport: HistoryTransport;
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
    const { status, body, headers } = await transport.get(dialect.url(page));
    if (status === 400 || status === 404) {
      throw new CandleSourceError("symbol_unknown", `${name} does not know ${page.symbol}`);
    }
    if (status === 429 || status === 418 || status === 403) {
      const seconds = Number(headers.get("retry-after") ?? Number.NaN);
      const restMs = Number.isFinite(seconds) ? seconds * 1_000 : LIMITED_REST_MS;
      restsUntilMs = clock.now() + Math.min(MAX_REST_MS, Math.max(1_000, restMs));
    }
    if (status !== 200) throw unavailable(`${name} answered ${status}`);
    return readBars(name, dialect.rows(parse(name, body), page.symbol), page);
  }

  async function ask(page: BaseRange): Promise<readonly BaseBar[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await askOnce(page);
      } catch (error) {
        const known = error instanceof CandleSourceError ? error : null;
        const isHopeless = known?.kind === "symbol_unknown" || clock.now() < restsUntilMs;
        if (attempt === MAX_ATTEMPTS || isHopeless) {
          throw known ?? new CandleSourceError("unavailable", `${name} did not answer`, error);
        }
        await transport.sleep(RETRY_AFTER_MS);
      }
    }
  }

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
