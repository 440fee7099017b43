import { strictestOf, type TradingState } from "../../domain/trading-state.ts";
import { createKillSwitch } from "../kill-switch.ts";
import { readTradingState } from "../store/operator/trading-state.ts";
import { openDatabase } from "../store/postgres/pool.ts";
import { watchSwitch } from "../watch-switch.ts";

/** Limits of one reading in milliseconds: one that hangs must not hold back the next. */
const READ_TIMEOUT_MS = 800;

/** The operator's switches of a process: the stricter of the files in its data folder and the database's one. */
export interface OpenSwitch {
  readonly tradingState: () => TradingState;
  close(): Promise<void>;
}

/**
 * Reads the switch of the database and keeps reading it, over a connection of its own: calls that wait for the pools
 * must not delay it.
 */
export async function openSwitch(
  url: string,
  dataDir: string,
  say: (message: string) => void = () => {},
): Promise<OpenSwitch> {
  const database = openDatabase({
    url,
    maxConnections: 1,
    statementTimeoutMs: READ_TIMEOUT_MS,
    connectTimeoutMs: READ_TIMEOUT_MS,
    answerGraceMs: 0,
  });
  const stored = watchSwitch({
    read: () => readTradingState(database.db),
    onChange: (state) => say(`The operator's switch in the database says: ${state}`),
  });
  await stored.sync().catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  stored.start();
  const files = createKillSwitch(dataDir, say);
  return {
    tradingState: () => strictestOf(files(), stored.state()),
    async close() {
      await stored.stop();
      await database.close();
    },
  };
}
