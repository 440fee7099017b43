import type { Config } from "../config.ts";
import { ConfigError } from "../config.ts";
import { grantApplication, isAuditGuarded, readRole } from "../store/postgres/application-role.ts";
import { freeLanes } from "../store/lanes/free-lanes.ts";
import { launchPostgres } from "../store/launch/launch-postgres.ts";
import { migrateDatabase, NewerDatabaseError } from "../store/postgres/migrate.ts";
import { type Notifier, openNotifier } from "../store/postgres/notify.ts";
import { type OpenDatabase, openDatabase } from "../store/postgres/pool.ts";

/** The migrated database with its connection pools. */
export interface Store {
  /** URL of the database. */
  readonly url: string;
  readonly main: OpenDatabase;
  /** Pool for alerts with few connections and short timeouts: senders wait three seconds. */
  readonly alerts: OpenDatabase;
  /** Pool for the lanes' frequent statements, which find rows by key. */
  readonly lanes: OpenDatabase;
  readonly notifier: Notifier;
  /** Whether this process can only append to the audit log; false when its role owns the tables. */
  readonly isAuditGuarded: boolean;
  /** Closes the pools, then the embedded database. */
  close(): Promise<void>;
}

const ALERT_LOCK_TIMEOUT_MS = 800;
const ALERT_STATEMENT_TIMEOUT_MS = 1_500;

/** Starts the embedded database or connects to the configured one, and migrates it to this version. */
export async function openStore(
  config: Pick<Config, "databaseUrl" | "databaseOwnerUrl" | "dataDir">,
  onError: (error: unknown) => void,
): Promise<Store> {
  const embedded =
    config.databaseUrl === undefined
      ? await launchPostgres({
          dataDir: config.dataDir,
          searchPath: process.env["PATH"] ?? "",
          onNotice: (line) => process.stdout.write(`${line}\n`),
        })
      : null;
  const url = embedded?.applicationUrl ?? config.databaseUrl ?? "";
  const ownerUrl = embedded?.url ?? config.databaseOwnerUrl;
  const opened: { close(): Promise<unknown> }[] = [];
  const close = async () => {
    for (const each of opened.toReversed()) await each.close();
    await embedded?.stop();
  };
  try {
    const isGuarded = await prepareDatabase(url, ownerUrl).catch((error: unknown) => {
      throw embedded === null ? unusableUrl(error, ownerUrl) : error;
    });
    const main = openDatabase({ url, maxConnections: 10, onConnectionLost: onError });
    opened.push(main);
    // The data folder is locked by us: any former lane holder is dead, so its leases need not expire first
    if (embedded !== null) await freeLanes(main.db);
    const alerts = openDatabase({
      url,
      maxConnections: 4,
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
      usesKeysOnly: true,
      onConnectionLost: onError,
    });
    opened.push(lanes);
    const notifier = await openNotifier({ url, pool: main.pool, onError });
    opened.push(notifier);
    return { url, main, alerts, lanes, notifier, isAuditGuarded: isGuarded, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Migrates the database to this version and grants the application's role its rights. Returns whether the audit log is
 * append-only.
 */
async function prepareDatabase(url: string, ownerUrl: string | undefined): Promise<boolean> {
  await migrateDatabase(ownerUrl ?? url);
  if (ownerUrl !== undefined) await grantApplication(ownerUrl, await readRole(url));
  const isGuarded = await isAuditGuarded(url);
  if (isGuarded || ownerUrl === undefined) return isGuarded;
  throw new ConfigError(
    "DATABASE_URL: its role may rewrite the audit log; with DATABASE_OWNER_URL it must be one that owns nothing.",
  );
}

function unusableUrl(error: unknown, ownerUrl: string | undefined): Error {
  if (error instanceof ConfigError || error instanceof NewerDatabaseError) return error;
  const { code, message } = error as { code?: string; message?: string };
  const reason = code ?? message?.split("\n", 1)[0] ?? "no answer";
  const setting = ownerUrl === undefined ? "DATABASE_URL" : "DATABASE_URL or DATABASE_OWNER_URL";
  return new ConfigError(`${setting}: the database cannot be used (${reason}).`, {
    cause: error,
  });
}
