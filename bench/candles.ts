import type { Pool } from "pg";
import { createExchangeHistory } from "../src/server/market-data/exchange-history.ts";
import { binanceKlines } from "../src/server/market-data/exchange-dialects.ts";
import { createStoredHistory } from "../src/server/market-data/stored-history.ts";
import { getText } from "../src/server/main/http-client.ts";
import { migrateDatabase } from "../src/server/store/postgres/migrate.ts";
import { openDatabase } from "../src/server/store/postgres/pool.ts";
import { startExchange } from "../test/exchange-server.ts";
import { withDatabase } from "./bench-database.ts";
import { fixed, machineLoad, say } from "./figures.ts";

const YEAR_MINUTES = 525_600;
const MINUTE_MS = 60_000;
const MOST_FROM_SOURCE_MS = 10_000;
const MOST_FROM_STORE_MS = 1_000;

/** A year of one market's minutes: from an exchange on this machine, which computes them as it is asked, then from the store. */
async function benchCandles(url: string, _pool: Pool): Promise<void> {
  await migrateDatabase(url);
  const nowMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS + 30_000;
  const clock = { now: () => nowMs };
  const exchange = await startExchange(clock);
  const database = openDatabase({ url });
  const transport = {
    get: (address: string) => getText(address, {}, 4_000),
    sleep: async () => {},
  };
  const source = createExchangeHistory(binanceKlines(exchange.binance), {
    transport,
    clock,
    requestsPerMinute: 10_000,
  });
  const history = createStoredHistory({ db: database.db, clock, sources: [source] });
  const load = async (): Promise<number> => {
    const startedMs = performance.now();
    const { bars, gaps } = await history.bars({
      symbol: "SOLUSDT",
      intervalMinutes: 1,
      fromMs: nowMs - 30_000 - YEAR_MINUTES * MINUTE_MS,
      toMs: nowMs - 30_000,
    });
    if (bars.length !== YEAR_MINUTES || gaps.length > 0) throw new Error(`${bars.length} bars`);
    return performance.now() - startedMs;
  };
  const before = process.cpuUsage();
  const sourceMs = await load();
  const { user, system } = process.cpuUsage(before);
  const requests = exchange.requests();
  const storeMs = Math.min(await load(), await load(), await load());
  say(
    `a year of one-minute bars: ${fixed(sourceMs / 1_000, 1)} s from the source in ${requests} requests ` +
      `(${fixed((user + system) / 1_000_000, 1)} s of processor time, the exchange's included), ` +
      `${fixed(storeMs / 1_000, 2)} s from the store; load ${machineLoad()}`,
  );
  if (sourceMs > MOST_FROM_SOURCE_MS || storeMs > MOST_FROM_STORE_MS) process.exitCode = 1;
  await database.close();
  await exchange.close();
}

await withDatabase(benchCandles);
