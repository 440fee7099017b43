import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../domain/clock.ts";
import type { Network } from "../../domain/network.ts";
import type { PracticeMarket } from "../../practice/practice-market.ts";
import type { CandleHistory } from "../market-data/candle-history.ts";
import { type Candles, createCandles } from "../market-data/candles.ts";
import { BINANCE, BYBIT, createExchangeKlines } from "../market-data/exchange-klines.ts";
import { createPracticeCandles } from "../market-data/practice-candles.ts";
import { createPracticeHistory } from "../market-data/practice-history.ts";
import type { Db } from "../store/postgres/db.ts";
import { getText } from "./http-client.ts";
import { createExchangeHistory } from "../market-data/exchange-history.ts";
import { binanceHistory, bybitHistory } from "../market-data/history-dialects.ts";
import { createStoredHistory } from "../market-data/stored-history.ts";

interface CandleDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly prices: PracticeMarket;
  readonly enabled: readonly Network[];
}

/** Candle sources per network: the practice network has its own market, all real networks use the exchanges'. */
export interface OpenCandles {
  /** Returns the chart's candles; the exchanges' when no network is given and a real one is enabled. */
  chart(network: Network | undefined): Candles;
  /** Returns the past bars shown on the page. */
  shown(network: Network | undefined): CandleHistory;
  /** Returns the bars that conditions are evaluated on. */
  evaluated(network: Network): CandleHistory;
}

/** Opens every candle source of a deployment. */
export function openCandles({ db, clock, prices, enabled }: CandleDeps): OpenCandles {
  const transport = {
    fetch: (url: string, init: RequestInit) => fetch(url, init),
    sleep: (ms: number) => sleep(ms),
  };
  const practice = createCandles({ clock, sources: [createPracticeCandles(prices, clock)] });
  const market = createCandles({
    clock,
    sources: [createExchangeKlines(BINANCE, transport), createExchangeKlines(BYBIT, transport)],
  });
  const practiceHistory = createPracticeHistory(prices, clock);
  // Separate budgets, so that public requests cannot use up the conditions' share of the exchanges' rate limits
  const evaluated = openMarketHistory({ db, clock, requestsPerMinute: 1_000 });
  const shown = openMarketHistory({ db, clock, requestsPerMinute: 1_100 });
  const isPractice = (network: Network | undefined) =>
    network === "practice" || enabled.every((each) => each === "practice");
  return {
    chart: (network) => (isPractice(network) ? practice : market),
    shown: (network) => (isPractice(network) ? practiceHistory : shown),
    evaluated: (network) => (network === "practice" ? practiceHistory : evaluated),
  };
}

/** Timeout of one page in milliseconds. */
const TIMEOUT_MS = 4_000;

/** Opens the past bars of real markets: Binance's, verified against Bybit's. */
function openMarketHistory(deps: {
  readonly db: Db;
  readonly clock: Clock;
  /** Maximum requests per minute to each exchange. */
  readonly requestsPerMinute: number;
}): CandleHistory {
  const { db, clock, requestsPerMinute } = deps;
  const transport = {
    get: (url: string) => getText(url, {}, TIMEOUT_MS),
    sleep: (ms: number) => sleep(ms),
  };
  const sources = [binanceHistory(), bybitHistory()].map((dialect) =>
    createExchangeHistory(dialect, { transport, clock, requestsPerMinute }),
  );
  return createStoredHistory({ db, clock, sources });
}
