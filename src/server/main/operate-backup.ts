import { randomBytes } from "node:crypto";
import type { DatabaseSettings } from "../config.ts";
import { OperationError } from "../custody/operation-error.ts";
import { afterRestore } from "../restore/after-restore.ts";
import { checkBackup, readBackup, writeBackup } from "../restore/backup-file.ts";
import { readIdentity } from "../restore/database-identity.ts";
import { loadTables } from "../store/backup/load-tables.ts";
import {
  findRunningDatabase,
  hasDatabase,
  launchPostgres,
} from "../store/launch/launch-postgres.ts";
import { setTradingState } from "../store/operator/trading-state.ts";
import { migrateDatabase } from "../store/postgres/migrate.ts";
import { openDatabase } from "../store/postgres/pool.ts";
import { isDatabaseUnavailable, isServerError } from "../store/postgres/unavailable.ts";
import { openDatabaseHost, unusableUrl } from "./open-database-host.ts";

type Say = (line: string) => void;

const KEEPS = ["--keep-sessions", "--keep-webhook-tokens"];

/** Writes a backup; works beside running servers, also on the embedded database, which is started when it is stopped. */
export async function backUp(
  config: DatabaseSettings,
  args: readonly string[],
  nowMs: number,
  say: Say,
): Promise<void> {
  const { path } = parse("backup", args, []);
  const write = async (url: string) => {
    const onProgress = (rows: number) => say(`${count(rows)} rows…`);
    const { rows, bytes } = await writeBackup(url, path, { nowMs, onProgress });
    say(`${path}: ${count(rows)} rows, ${count(bytes)} bytes, whole and on the disk.`);
    say("No secret is in it: keep DELEGATE_SECRET and SESSION_SECRET, or DATA_DIR/*.secret, too.");
  };
  if (config.databaseUrl !== undefined) return onOwnDatabase(config, write);
  const running = findRunningDatabase(config.dataDir);
  if (running !== null) return write(running);
  requireDatabase(config);
  return onOwnDatabase(config, write);
}

/** Refuses a folder without a database: whoever named the wrong one would otherwise get a new, empty one. */
export function requireDatabase({ databaseUrl, dataDir }: DatabaseSettings): void {
  if (databaseUrl !== undefined || hasDatabase(dataDir)) return;
  throw new OperationError(`DATA_DIR: there is no database in ${dataDir}.`);
}

/**
 * Replaces the database by a backup, without a server: sessions end and webhook tokens are replaced as `after-restore`
 * does, agents wait for the chain, and trading is halted until the operator resumes it.
 */
export async function restore(
  config: DatabaseSettings,
  args: readonly string[],
  nowMs: number,
  say: Say,
): Promise<void> {
  const { path, flags } = parse("restore", args, ["--replace", ...KEEPS]);
  await checkBackup(path);
  await onOwnDatabase(config, async (url) => {
    // The present tables, if only to see whether anything is in them
    await migrateDatabase(url);
    const parts = readBackup(path, (rows) => say(`${count(rows)} rows…`));
    await loadTables(url, parts, { replaces: flags.includes("--replace") });
  });
  await goOn(config, flags, nowMs, { say, halts: true });
  say("Trading is halted. Start the server, look at what it found, then: operate resume");
}

/** Goes on with a database that was restored or copied by other means. */
export async function goOnAfterRestore(
  config: DatabaseSettings,
  flags: readonly string[],
  nowMs: number,
  say: Say,
): Promise<void> {
  refuseUnknown("after-restore", flags, KEEPS);
  requireDatabase(config);
  await goOn(config, flags, nowMs, { say, halts: false });
}

async function goOn(
  config: DatabaseSettings,
  flags: readonly string[],
  nowMs: number,
  { say, halts }: { readonly say: Say; readonly halts: boolean },
): Promise<void> {
  const host = await openDatabaseHost(config);
  const { db, close } = openDatabase({ url: host.url, maxConnections: 3 });
  try {
    if (halts) await setTradingState(db, "halted", nowMs);
    const { sessions, webhookTokens } = await afterRestore(db, {
      identity: await readIdentity(db, config),
      random: randomBytes,
      now: nowMs,
      keepsSessions: flags.includes("--keep-sessions"),
      keepsWebhookTokens: flags.includes("--keep-webhook-tokens"),
    });
    say(`${sessions} sessions ended, ${webhookTokens} webhook tokens replaced.`);
  } finally {
    await close();
    await host.close();
  }
}

/** Runs work with the owner's URL; an embedded database is held for it, which fails while a server has it. */
async function onOwnDatabase(
  { databaseUrl, databaseOwnerUrl, dataDir }: DatabaseSettings,
  work: (url: string) => Promise<void>,
): Promise<void> {
  if (databaseUrl !== undefined) {
    return work(databaseOwnerUrl ?? databaseUrl).catch((error: unknown) => {
      throw isOfDatabase(error) ? unusableUrl(error, databaseOwnerUrl) : error;
    });
  }
  const embedded = await launchPostgres({ dataDir });
  try {
    await work(embedded.url);
  } finally {
    await embedded.stop();
  }
}

const isOfDatabase = (error: unknown): boolean =>
  isServerError(error) || isDatabaseUnavailable(error);

function parse(command: string, args: readonly string[], known: readonly string[]) {
  const flags = args.filter((arg) => arg.startsWith("--"));
  refuseUnknown(command, flags, known);
  const [path, ...more] = args.filter((arg) => !arg.startsWith("--"));
  if (path === undefined || more.length > 0) {
    throw new OperationError(`${command}: name one file.`);
  }
  return { path, flags };
}

function refuseUnknown(command: string, flags: readonly string[], known: readonly string[]): void {
  const unknown = flags.find((flag) => !known.includes(flag));
  if (unknown !== undefined) throw new OperationError(`${command}: ${unknown} is not known.`);
}

const count = (figure: number): string => figure.toLocaleString("en-US");
