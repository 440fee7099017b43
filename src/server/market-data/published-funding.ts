import * as z from "zod/mini";
import type { Clock } from "../../domain/clock.ts";
import type { Network } from "../../domain/network.ts";
import { symbolOf } from "../../venues/profiles.ts";
import type { ExchangeTransport } from "./exchange-history.ts";

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

/** How far back rates are read: a simulation's longest span, with room for what comes before it. */
const BACK_MS = 400 * 86_400_000;

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
  readonly get: ExchangeTransport["get"];
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

  async function read(symbol: string): Promise<readonly Rate[]> {
    const startMs = clock.now();
    const fromMs = startMs - BACK_MS;
    const rates: Rate[] = [];
    for (let toMs = startMs; toMs >= fromMs && clock.now() - startMs < DEADLINE_MS;) {
      const url = `${origin}/v5/market/funding/history?category=linear&symbol=${symbol}&startTime=${fromMs}&endTime=${toMs}&limit=${PAGE_RATES}`;
      const span = { fromMs, toMs };
      const page = await get(url)
        .then(({ status, body }) => (status === 200 ? readPage(body, symbol, span) : null))
        .catch(() => null);
      if (page === null) break;
      rates.push(...page);
      if (page.length < PAGE_RATES) break;
      toMs = (page.at(-1)?.atMs ?? 0) - 1;
    }
    return rates.toReversed();
  }

  /** One reading for everybody, whatever span is asked for: the call is public, and the source gives us prices too. */
  function ratesOf(symbol: string): Promise<readonly Rate[]> {
    const known = kept.get(symbol);
    if (known !== undefined && clock.now() - known.atMs < KEPT_MS) return known.rates;
    const rates = read(symbol);
    kept.set(symbol, { atMs: clock.now(), rates });
    return rates;
  }

  return async (network, asset, { fromMs, toMs }) => {
    if (network !== "paper" || !isConfigured) return null;
    const known = await ratesOf(symbolOf(asset));
    const rates = known.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
    if (rates.length < 2) return null;
    return {
      source: "Bybit",
      atMs: rates.map(({ atMs }) => atMs),
      ppm: rates.map(({ ppm }) => ppm),
    };
  };
}
