import { setTimeout as sleep } from "node:timers/promises";
import { type DatabaseSettings } from "../config.ts";
import { ConfigError, type Role, ROLES } from "../environment.ts";
import { refuseRestored } from "../restore/database-identity.ts";
import { endAllLaneLeases } from "../store/lanes/lanes.ts";
import { launchPostgres } from "../store/launch/launch-postgres.ts";
import { grantProcesses } from "../store/postgres/grants.ts";
import {
  mayMigrate,
  migrateDatabase,
  NewerDatabaseError,
  NotMigratedError,
  requireMigrated,
} from "../store/postgres/migrate.ts";
import { openDatabase } from "../store/postgres/pool.ts";
import {
  isAuditGuarded,
  PROCESSES,
  type ProcessName,
  type ProcessUrls,
} from "../store/postgres/process-roles.ts";
import { isDatabaseUnavailable } from "../store/postgres/unavailable.ts";

interface HostOptions {
  readonly isForServer?: boolean;
  /** What that server does. */
  readonly roles?: readonly Role[];
}

/** The migrated database. */
export interface DatabaseHost {
  /** URL of each process; the same one where all share a role. */
  readonly urls: ProcessUrls;
  /** URL for the role that owns the tables. */
  readonly ownerUrl: string;
  /** Whether another server, which has the owner's address, migrated it. */
  readonly isPreparedElsewhere: boolean;
  /** Stops the embedded database; must be called last. */
  close(): Promise<void>;
}

/**
 * Starts the embedded database or uses the configured one, and migrates it to this version. A server's is also checked
 * to be the one it last ran with. A server of one role that does not own the database waits until another has done so.
 */
export async function openDatabaseHost(
  config: DatabaseSettings,
  { isForServer = false, roles = ROLES }: HostOptions = {},
): Promise<DatabaseHost> {
  const embedded =
    config.databaseUrl === undefined
      ? await launchPostgres({
          dataDir: config.dataDir,
          onNotice: (line) => process.stdout.write(`${line}\n`),
        })
      : null;
  const urls = embedded?.processUrls ?? configuredUrls(config);
  const ownerUrl = embedded?.url ?? config.databaseOwnerUrl;
  const close = async () => embedded?.stop();
  const mayWait = isForServer && ownerUrl === undefined && roles.length < ROLES.length;
  let isPreparedElsewhere = false;
  const prepare = async () => {
    isPreparedElsewhere = mayWait && !(await mayMigrate(urls.web));
    if (!isPreparedElsewhere) await prepareDatabase(urls, ownerUrl);
    if (isForServer) await prepareServer(ownerUrl ?? urls.web, config, !isPreparedElsewhere);
  };
  try {
    await whenReachable(prepare, {
      monotonicMs: () => performance.now(),
      sleep,
      onWait: (error) =>
        process.stdout.write(
          `Waiting for the database, up to 60 seconds: ${settingOf(ownerUrl)} (${reasonOf(error)})\n`,
        ),
    }).catch((error: unknown) => {
      throw embedded === null ? unusableUrl(error, ownerUrl) : error;
    });
    return { urls, ownerUrl: ownerUrl ?? urls.web, isPreparedElsewhere, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Setting with each process's URL. */
const SETTINGS = {
  web: "DATABASE_URL",
  trading: "DATABASE_TRADING_URL",
  signer: "DATABASE_SIGNER_URL",
} as const satisfies Record<ProcessName, string>;

const configuredUrls = ({ databaseUrl = "", processUrls }: DatabaseSettings): ProcessUrls => ({
  web: databaseUrl,
  trading: databaseUrl,
  signer: databaseUrl,
  ...processUrls,
});

/** Migrates the database to this version and grants each process's role its rights. */
async function prepareDatabase(urls: ProcessUrls, ownerUrl: string | undefined): Promise<void> {
  await migrateDatabase(ownerUrl ?? urls.web);
  if (ownerUrl === undefined) return;
  const roles = await grantProcesses(ownerUrl, urls);
  if (urls.signer !== urls.web && new Set(roles.values()).size < PROCESSES.length) {
    throw new ConfigError(
      "DATABASE_SIGNER_URL: its role, and those of DATABASE_TRADING_URL and DATABASE_URL, must be three.",
    );
  }
  for (const [name, role] of roles) {
    if (await isAuditGuarded(ownerUrl, role)) continue;
    throw new ConfigError(
      `${SETTINGS[name]}: its role may rewrite the audit log; with DATABASE_OWNER_URL it must be one that owns nothing.`,
    );
  }
}

async function prepareServer(
  url: string,
  config: DatabaseSettings,
  isOwner: boolean,
): Promise<void> {
  if (!isOwner) await requireMigrated(url);
  const { db, close } = openDatabase({ url, maxConnections: 1 });
  try {
    await refuseRestored(db, config, isOwner);
    // The data folder is locked by us: any former lane holder is dead, so its leases need not expire first
    if (config.databaseUrl === undefined) await endAllLaneLeases(db);
  } finally {
    await close();
  }
}

/** Returns what an operator is told whose configured database cannot be used. */
export function unusableUrl(error: unknown, ownerUrl: string | undefined): Error {
  if (error instanceof ConfigError || error instanceof NewerDatabaseError) return error;
  const text = `${settingOf(ownerUrl)}: ${faultOf(error, ownerUrl)}`;
  return new ConfigError(text, { cause: error });
}

/** SQLSTATE of a right that a role does not have, which only its message names. */
const NO_RIGHT = "42501";

function faultOf(error: unknown, ownerUrl: string | undefined): string {
  const reason = reasonOf(error);
  if (reason !== NO_RIGHT) return `the database cannot be used (${reason}).`;
  const refused = `its role may not do this (${(error as Error).message}).`;
  return ownerUrl === undefined
    ? `${refused} The address of the tables' owner is missing: DATABASE_OWNER_FILE or DATABASE_OWNER_URL, which wheelhouse-operate hands on.`
    : refused;
}

const settingOf = (ownerUrl: string | undefined): string =>
  ownerUrl === undefined ? "DATABASE_URL" : "DATABASE_URL or DATABASE_OWNER_URL";

function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return code ?? message?.split("\n", 1)[0] ?? "no answer";
}

const PATIENCE_MS = 60_000;
const PAUSE_MS = 500;

/**
 * Works on a database that may still be starting: tries again for a minute, and says once what it waits for. Errors that
 * waiting cannot mend, such as a wrong password, are thrown at once.
 */
export async function whenReachable<T>(
  work: () => Promise<T>,
  deps: {
    readonly monotonicMs: () => number;
    readonly sleep: (ms: number) => Promise<unknown>;
    readonly onWait: (error: unknown) => void;
  },
): Promise<T> {
  const untilMs = deps.monotonicMs() + PATIENCE_MS;
  for (let tries = 0; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const mayPass = isDatabaseUnavailable(error) || error instanceof NotMigratedError;
      if (!mayPass || deps.monotonicMs() + PAUSE_MS > untilMs) throw error;
      if (tries === 0) deps.onWait(error);
      await deps.sleep(PAUSE_MS);
    }
  }
}
