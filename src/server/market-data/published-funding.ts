import * as z from "zod/mini";
import type { Clock } from "../../domain/clock.ts";
import type { Network } from "../../domain/network.ts";
import { symbolOf } from "../../venues/profiles.ts";
import type { HistoryTransport } from "./exchange-history.ts";

/** Span of the past, Unix milliseconds. */
interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Rates of a perpetual market as settled, oldest first, in millionths of the position's value. */
interface FundingAnswer {
  readonly source: string;
  readonly atMs: number[];
  readonly ppm: number[];
}

/** Returns what a source published of an asset's funding; null where none is read or it did not answer. */
export type PublishedFunding = (
  network: Network,
  asset: string,
  span: Span,
) => Promise<FundingAnswer | null>;

/** Rates per response. */
const PAGE_RATES = 200;

/** Longest work on one answer in milliseconds; what came by then counts, the newest first. */
const DEADLINE_MS = 3_000;

/** How long an answer, or that there was none, is kept. Rates are settled every hour at most. */
const KEPT_MS = 600_000;

/** Spans kept; their ends are rounded down to ten minutes, so that a page that asks again finds its own. */
const MAX_KEPT = 100;

/** Largest rate of one settlement that is believed: 10 %. */
const MAX_RATE = 0.1;

const rate = z.object({
  symbol: z.string(),
  fundingRate: z.string().check(z.regex(/^-?\d{1,2}(\.\d{1,12})?$/)),
  fundingRateTimestamp: z.string().check(z.regex(/^\d{13}$/)),
});

const bybitAnswer = z.object({
  retCode: z.literal(0),
  result: z.object({ list: z.array(rate).check(z.maxLength(PAGE_RATES)) }),
});

interface Rate {
  readonly atMs: number;
  readonly ppm: number;
}

/** Returns the rates of a page of Bybit, newest first; throws unless each is one of the span, in order and plausible. */
function readPage(body: string, symbol: string, { fromMs, toMs }: Span): readonly Rate[] {
  let before = Number.POSITIVE_INFINITY;
  return bybitAnswer.parse(JSON.parse(body)).result.list.map((row) => {
    const [atMs, share] = [Number(row.fundingRateTimestamp), Number(row.fundingRate)];
    const isAsked = row.symbol === symbol && atMs >= fromMs && atMs <= toMs && atMs < before;
    if (!isAsked || Math.abs(share) > MAX_RATE) throw new Error("Bybit answered another funding");
    before = atMs;
    return { atMs, ppm: Math.round(share * 1e8) / 100 };
  });
}

/**
 * Creates the reader of published funding: Bybit's of the perpetual against USDT, for paper. A real venue publishes its
 * own, which no source that is read here has.
 */
export function createPublishedFunding(deps: {
  readonly clock: Clock;
  readonly get: HistoryTransport["get"];
  /** What stands in for Bybit's address; undefined: its own. */
  readonly origin: string | undefined;
  /** Bybit is among the configured sources. */
  readonly isConfigured: boolean;
}): PublishedFunding {
  const { clock, get, origin = "https://api.bybit.com", isConfigured } = deps;
  const kept = new Map<
    string,
    { readonly atMs: number; readonly rates: Promise<readonly Rate[]> }
  >();

  async function read(symbol: string, { fromMs, toMs }: Span): Promise<readonly Rate[]> {
    const startMs = clock.now();
    const rates: Rate[] = [];
    for (let endMs = toMs; endMs >= fromMs && clock.now() - startMs < DEADLINE_MS;) {
      const span = { fromMs, toMs: endMs };
      const url = `${origin}/v5/market/funding/history?category=linear&symbol=${symbol}&startTime=${fromMs}&endTime=${endMs}&limit=${PAGE_RATES}`;
      const page = await get(url)
        .then(({ status, body }) => (status === 200 ? readPage(body, symbol, span) : null))
        .catch(() => null);
      if (page === null) break;
      rates.push(...page);
      if (page.length < PAGE_RATES) break;
      endMs = (page.at(-1)?.atMs ?? 0) - 1;
    }
    return rates.toReversed();
  }

  function rounded(symbol: string, { fromMs, toMs }: Span): Promise<readonly Rate[]> {
    const [from, to] = [fromMs, toMs].map((ms) => Math.floor(ms / KEPT_MS) * KEPT_MS);
    const span = { fromMs: from ?? 0, toMs: to ?? 0 };
    const key = `${symbol} ${span.fromMs} ${span.toMs}`;
    const known = kept.get(key);
    if (known !== undefined && clock.now() - known.atMs < KEPT_MS) return known.rates;
    const rates = read(symbol, span);
    kept.delete(key);
    kept.set(key, { atMs: clock.now(), rates });
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    return rates;
  }

  return async (network, asset, span) => {
    if (network !== "paper" || !isConfigured) return null;
    const rates = await rounded(symbolOf(asset), span);
    if (rates.length < 2) return null;
    return {
      source: "Bybit",
      atMs: rates.map(({ atMs }) => atMs),
      ppm: rates.map(({ ppm }) => ppm),
    };
  };
}
