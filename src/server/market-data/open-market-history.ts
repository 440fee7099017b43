import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../domain/clock.ts";
import { getText } from "../http-client.ts";
import type { Db } from "../store/postgres/db.ts";
import type { CandleHistory } from "./candle-history.ts";
import { createExchangeHistory } from "./exchange-history.ts";
import { binanceHistory, bybitHistory } from "./history-dialects.ts";
import { createStoredHistory } from "./stored-history.ts";

/** Timeout of one page in milliseconds. */
const TIMEOUT_MS = 4_000;

/** Opens the past bars of real markets: Binance's, verified against Bybit's. */
export function openMarketHistory(deps: {
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
