import { strictestOf, type TradingState } from "../../domain/trading-state.ts";
import { repeatTask } from "../pacing/repeat-task.ts";
import { readTradingState } from "../store/operator/trading-state.ts";
import type { Db } from "../store/postgres/db.ts";
import { openDatabase } from "../store/postgres/pool.ts";

/** Limits of one reading in milliseconds: one that hangs must not hold back the next. */
const READ_TIMEOUT_MS = 800;

/**
 * Pause between two readings in milliseconds. With the limits of a reading it keeps the promise that every server stops
 * within two seconds.
 */
const PAUSE_MS = 500;

/**
 * Reads the switch of the database and keeps reading it, over a connection of its own: calls that wait for the pools
 * must not delay it. While the database does not answer, the last state stays in force. What holds is the stricter of
 * the files in the data folder and the database's switch.
 */
export async function openSwitch(
  url: string,
  files: () => TradingState,
  {
    say = () => {},
    read = readTradingState,
  }: {
    readonly say?: (message: string) => void;
    /** Reads the database's switch; the signer has a reading of its own. */
    readonly read?: (db: Db) => Promise<TradingState>;
  } = {},
) {
  const database = openDatabase({
    url,
    maxConnections: 1,
    statementTimeoutMs: READ_TIMEOUT_MS,
    connectTimeoutMs: READ_TIMEOUT_MS,
    answerGraceMs: 0,
  });
  let stored = await read(database.db).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  const watch = repeatTask({
    pauseMs: PAUSE_MS,
    // Other users of the database report that it does not answer
    onFailure: () => {},
    async task() {
      const state = await read(database.db);
      if (state !== stored) say(`The operator's switch in the database says: ${state}`);
      stored = state;
    },
  });
  watch.start();
  return {
    tradingState: (): TradingState => strictestOf(files(), stored),
    async close(): Promise<void> {
      await watch.stop();
      await database.close();
    },
  };
}

export type OpenSwitch = Awaited<ReturnType<typeof openSwitch>>;
