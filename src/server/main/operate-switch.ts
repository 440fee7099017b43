import { existsSync } from "node:fs";
import type { TradingState } from "../../domain/trading-state.ts";
import type { DatabaseSettings } from "../config.ts";
import { OperationError } from "../custody/operation-error.ts";
import { createKillSwitch } from "../data-folder/kill-switch.ts";
import { findRunningDatabase } from "../store/launch/launch-postgres.ts";
import { setTradingState } from "../store/operator/trading-state.ts";
import { openDatabase } from "../store/postgres/pool.ts";
import { requireDatabase } from "./operate-backup.ts";
import { openDatabaseHost } from "./open-database-host.ts";

/** Command of `operate` and the state it sets. */
export const SWITCH_COMMANDS: Readonly<Record<string, TradingState>> = {
  halt: "halted",
  reduce: "reducing",
  resume: "active",
};

const DONE: Readonly<Record<TradingState, string>> = {
  halted: "Halted in the database: within two seconds no server sends an order.",
  reducing: "Reduced in the database: within two seconds every server only closes.",
  active: "Resumed in the database.",
};

const FILE_SAYS: Readonly<Record<TradingState, string>> = {
  halted: "The file HALT halts",
  reducing: "The file REDUCE, or that the folder cannot be read, reduces",
  active: "No file stops trading on",
};

/**
 * Sets the trading state of all servers of the database and prints the state of the data folder's switch files; the
 * stricter one applies.
 *
 * Works beside a running server, also on its embedded database, which it neither starts nor migrates.
 */
export async function switchTrading(
  config: DatabaseSettings,
  state: TradingState,
  atMs: number,
  say: (line: string) => void,
): Promise<void> {
  const url = config.databaseUrl ?? findRunningDatabase(config.dataDir);
  if (url === null) requireDatabase(config);
  try {
    if (url === null) await setInStopped(config, state, atMs);
    else await setAt(url, state, atMs);
  } catch (error) {
    const { message } = error as Error;
    throw new OperationError(
      `The database does not answer (${message.split("\n", 1)[0] ?? ""}). A file HALT or REDUCE in each server's DATA_DIR works without it.`,
      { cause: error },
    );
  }
  say(DONE[state]);
  // Reading the switch of a folder that is not there would make it, for another account than the server's
  const file = existsSync(config.dataDir) ? createKillSwitch(config.dataDir, say)() : "active";
  say(`${FILE_SAYS[file]} the servers that use ${config.dataDir}.`);
}

async function setAt(url: string, state: TradingState, atMs: number): Promise<void> {
  const database = openDatabase({ url, maxConnections: 1 });
  try {
    await setTradingState(database.db, state, atMs);
  } finally {
    await database.close();
  }
}

/** The embedded database runs with its server: while that is stopped it is started for the moment. */
async function setInStopped(
  config: DatabaseSettings,
  state: TradingState,
  atMs: number,
): Promise<void> {
  const host = await openDatabaseHost(config);
  try {
    await setAt(host.url, state, atMs);
  } finally {
    await host.close();
  }
}
