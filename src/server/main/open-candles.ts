import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../domain/clock.ts";
import { isBuiltIn, type Network } from "../../domain/network.ts";
import type { PracticeMarket } from "../../practice/practice-market.ts";
import type { CandleHistory } from "../market-data/candle-history.ts";
import { type Candles, createCandles } from "../market-data/candles.ts";
import { createPracticeCandles } from "../market-data/practice-candles.ts";
import { createPracticeHistory } from "../market-data/practice-history.ts";
import type { ConfiguredSource, PriceSourceName } from "../../venues/price-dialects.ts";
import type { Db } from "../store/postgres/db.ts";
import { getText } from "./http-client.ts";
import {
  createExchangeHistory,
  createExchangeKlines,
  type ExchangeTransport,
} from "../market-data/exchange-history.ts";
import { binanceKlines, bybitKlines, type KlineDialect } from "../market-data/exchange-dialects.ts";
import { createPublishedFunding, type PublishedFunding } from "../market-data/published-funding.ts";
import { createStoredHistory } from "../market-data/stored-history.ts";

interface CandleDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly prices: PracticeMarket;
  readonly enabled: readonly Network[];
  readonly priceSources: readonly ConfiguredSource[];
}

/** Candle sources per network: the practice network has its own market, paper and real networks use the exchanges'. */
export interface OpenCandles {
  /** Returns the chart's candles; the exchanges' when no network is given and a real one is enabled. */
  chart(network: Network | undefined): Candles;
  /** Returns the past bars shown on the page. */
  shown(network: Network | undefined): CandleHistory;
  /** Returns the bars that conditions are evaluated on. */
  evaluated(network: Network): CandleHistory;
  /** Returns the funding that was published for the past. */
  readonly publishedFunding: PublishedFunding;
}

/** Opens every candle source of a deployment. */
export function openCandles({ db, clock, prices, enabled, priceSources }: CandleDeps): OpenCandles {
  const originOf = (name: PriceSourceName) =>
    priceSources.find((each) => each.name === name)?.origin;
  const dialects = [binanceKlines(originOf("binance")), bybitKlines(originOf("bybit"))];
  const practice = createCandles({ clock, sources: [createPracticeCandles(prices, clock)] });
  const market = createCandles({
    clock,
    sources: dialects.map((dialect) => createExchangeKlines(dialect, TRANSPORT)),
  });
  const practiceHistory = createPracticeHistory(prices, clock);
  // Separate budgets, so that public requests cannot use up the conditions' share of the exchanges' rate limits
  const evaluated = openMarketHistory({ db, clock, dialects, requestsPerMinute: 1_000 });
  const shown = openMarketHistory({ db, clock, dialects, requestsPerMinute: 1_100 });
  const isPractice = (network: Network | undefined) =>
    network === "practice" || (network === undefined && enabled.every(isBuiltIn));
  return {
    chart: (network) => (isPractice(network) ? practice : market),
    shown: (network) => (isPractice(network) ? practiceHistory : shown),
    evaluated: (network) => (network === "practice" ? practiceHistory : evaluated),
    publishedFunding: createPublishedFunding({
      clock,
      get: TRANSPORT.get,
      origin: originOf("bybit"),
      isConfigured: priceSources.some(({ name }) => name === "bybit"),
    }),
  };
}

/** Timeout of one page in milliseconds. */
const TIMEOUT_MS = 4_000;

const TRANSPORT: ExchangeTransport = {
  get: (url) => getText(url, {}, TIMEOUT_MS),
  sleep: (ms) => sleep(ms),
};

/** Opens the past bars of real markets: Binance's, verified against Bybit's. */
function openMarketHistory(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly dialects: readonly KlineDialect[];
  /** Maximum requests per minute to each exchange. */
  readonly requestsPerMinute: number;
}): CandleHistory {
  const { db, clock, dialects, requestsPerMinute } = deps;
  const sources = dialects.map((dialect) =>
    createExchangeHistory(dialect, { transport: TRANSPORT, clock, requestsPerMinute }),
  );
  return createStoredHistory({ db, clock, sources });
}
