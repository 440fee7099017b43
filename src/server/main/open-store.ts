import { PRICES_TOPIC } from "../market-data/prices/price-feed.ts";
import { STALE_TOPIC, STREAM_TOPICS } from "../push/create-stale-publisher.ts";
import type { Role } from "../environment.ts";
import { type Notifier, openNotifier } from "../store/postgres/notify.ts";
import { type OpenDatabase, openDatabase } from "../store/postgres/pool.ts";
import { LANE_TOPICS } from "../trading/pipeline.ts";

/** The connection pools of one process. */
export interface Store {
  /** URL of the database. */
  readonly url: string;
  readonly main: OpenDatabase;
  /** Pool for alerts with few connections and short timeouts: senders wait three seconds. */
  readonly alerts: OpenDatabase;
  /** Pool for the lanes' frequent statements, which find rows by key. */
  readonly lanes: OpenDatabase;
  readonly notifier: Notifier;
  close(): Promise<void>;
}

const ALERT_LOCK_TIMEOUT_MS = 800;
const ALERT_STATEMENT_TIMEOUT_MS = 1_500;

/** Topics of other processes' hints that each role hears. */
const HEARD = {
  web: [...STREAM_TOPICS, PRICES_TOPIC],
  trading: [...LANE_TOPICS, PRICES_TOPIC],
} as const;

/**
 * Every alert makes a screen stale, whether or not anybody looks at it. Every sending wakes each process that serves
 * pages, so a stream of alerts makes five a second of each server instead of a hundred.
 */
const GATHER_MS = { [STALE_TOPIC]: 200 };

/** Opens the pools of a migrated database; a pool that a process does not use never connects. */
export async function openStore(
  url: string,
  role: Role,
  onError: (error: unknown) => void,
): Promise<Store> {
  const opened: { close(): Promise<unknown> }[] = [];
  const close = async () => {
    for (const each of opened.toReversed()) await each.close();
  };
  try {
    const main = openDatabase({
      url,
      maxConnections: 10,
      keptConnections: 2,
      onConnectionLost: onError,
    });
    opened.push(main);
    const alerts = openDatabase({
      url,
      maxConnections: 4,
      keptConnections: 1,
      lockTimeoutMs: ALERT_LOCK_TIMEOUT_MS,
      statementTimeoutMs: ALERT_STATEMENT_TIMEOUT_MS,
      answerGraceMs: 200,
      connectTimeoutMs: 1_000,
      usesKeysOnly: true,
      onConnectionLost: onError,
    });
    opened.push(alerts);
    const lanes = openDatabase({
      url,
      maxConnections: 5,
      keptConnections: 2,
      usesKeysOnly: true,
      onConnectionLost: onError,
    });
    opened.push(lanes);
    const notifier = await openNotifier({
      url,
      pool: main.pool,
      heard: HEARD[role],
      gatherMs: GATHER_MS,
      onError,
    });
    opened.push(notifier);
    return { url, main, alerts, lanes, notifier, close };
  } catch (error) {
    await close();
    throw error;
  }
}
