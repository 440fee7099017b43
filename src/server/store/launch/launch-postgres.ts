import { existsSync, realpathSync, statSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  lockDataFolder,
  folderOfOthers,
  folderUnusable,
  openDataFolder,
  openHolder,
  openSocketFolder,
} from "./folders.ts";
import { repeatTask } from "../../pacing/repeat-task.ts";
import { databaseAccount, type Account } from "./account.ts";
import { findBinaries } from "./binaries.ts";
import { openCluster } from "./cluster.ts";
import { LaunchError } from "./launch-error.ts";
import { takeOverStaleLock, findPostmaster } from "./postmaster-file.ts";
import { processIdentity } from "./process-identity.ts";
import { canOpenSession, makeDatabase, makeRole, socketUrl } from "./session.ts";
import { serverSettings, startServer } from "./start-server.ts";

/**
 * Kills what a killed server left behind on a cluster without a server, and returns how many processes there were.
 *
 * A backend that waits for a lock whose holder ended with the server waits for ever and lets no new server start. Its
 * transaction is not committed, or is on the disk already: recovery decides that, not the process. Backends are found by
 * the folder they work in, which only Linux tells; elsewhere none is found.
 */
function killOrphans(cluster: string): number {
  if (findPostmaster(cluster) !== null) return 0;
  const orphans = processesIn(cluster);
  for (const pid of orphans) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended by itself
    }
  }
  return orphans.length;
}

/** Returns the PostgreSQL processes whose working folder this is. */
function processesIn(folder: string): readonly number[] {
  try {
    return readdirSync("/proc").flatMap((name) => {
      const isProcess = /^\d+$/.test(name) && isPostgresIn(name, folder);
      return isProcess ? [Number(name)] : [];
    });
  } catch {
    return [];
  }
}

function isPostgresIn(pid: string, folder: string): boolean {
  try {
    const program = readlinkSync(`/proc/${pid}/exe`);
    // The file of a running program may have been replaced, by an upgrade for one
    return (
      /\/postgres(?: \(deleted\))?$/.test(program) && readlinkSync(`/proc/${pid}/cwd`) === folder
    );
  } catch {
    return false;
  }
}

/** Interval in milliseconds at which a server that ended without being stopped is noticed. */
const LOOK_MS = 500;

const DATABASE_NAME = "wheelhouse";
const APPLICATION_ROLE = "wheelhouse_app";
const POLL_MS = 20;
/** Maximum number of polls for orphans of a killed server to exit, or for our own fast shutdown. */
const PATIENCE_POLLS = 10_000 / POLL_MS;
/** Attempts to start, half a second apart, before backends of a killed server that are still there count as hanging. */
const ORPHAN_ATTEMPTS = 3;

interface LaunchOptions {
  readonly dataDir: string;
  /** Server settings that override the defaults. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called with one line when the files are outside of the data folder, or when the server ended by itself. */
  readonly onNotice?: (line: string) => void;
  /** False disables waiting for the disk; for tests only. */
  readonly isDurable?: boolean;
  /** False disables the restart of a server that ended by itself; for tests without a database. */
  readonly isKeptRunning?: boolean;
}

/** The running embedded database. A server that ends by itself is restarted at the same address. */
export interface EmbeddedPostgres {
  /** Connection URL of the role that owns everything. */
  readonly url: string;
  /** Connection URL of a role that owns nothing and has only granted rights. */
  readonly applicationUrl: string;
  /** Process id of the current server. */
  readonly pid: number;
  /** True when a server left running by a killed app was adopted. */
  readonly wasAdopted: boolean;
  /** Stops the server and releases the data folder. Must be called last. */
  stop(): Promise<void>;
}

/** Starts or adopts the PostgreSQL of a data folder; throws `LaunchError` with one line for the user. */
export async function launchPostgres(options: LaunchOptions): Promise<EmbeddedPostgres> {
  const dataDir = openDataFolder(options.dataDir);
  const release = lockFolder(dataDir);
  try {
    const account = databaseAccount();
    const holder = openHolder(dataDir, account, options.onNotice);
    const run = async () => (await adopt(holder)) ?? (await start(holder, account, options));
    let server = await run();
    const { socketFolder, wasAdopted } = server;
    await makeDatabase(socketFolder, DATABASE_NAME);
    await makeRole(socketFolder, APPLICATION_ROLE);
    const { onNotice = () => {}, isKeptRunning = true } = options;
    const keeper = repeatTask({
      pauseMs: LOOK_MS,
      async task() {
        if (!isKeptRunning || processIdentity(server.pid) !== null) return;
        onNotice("The database ended by itself and is started again.");
        server = await run();
      },
      onFailure: (error) => onNotice((error as Error).message),
    });
    keeper.start();
    return {
      url: socketUrl(socketFolder, DATABASE_NAME),
      applicationUrl: socketUrl(socketFolder, DATABASE_NAME, APPLICATION_ROLE),
      get pid() {
        return server.pid;
      },
      wasAdopted,
      async stop() {
        await keeper.stop();
        await stopServer(server.pid);
        release();
      },
    };
  } catch (error) {
    release();
    if (error instanceof LaunchError || !isFileError(error)) throw error;
    throw folderUnusable(dataDir, error);
  }
}

/** Returns whether a data folder holds an embedded database; throws `LaunchError` when only another account can see. */
export function hasDatabase(dataDir: string): boolean {
  const holder = join(dataDir, "postgres");
  try {
    return statSync(join(holder, "cluster", "PG_VERSION"), { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EACCES") return false;
    const folder = existsSync(holder) ? holder : dataDir;
    throw folderOfOthers(folder, statSync(folder).uid);
  }
}

/** Returns the URL of the database that runs on a data folder now, for the role that owns everything; else null. */
export function findRunningDatabase(dataDir: string): string | null {
  let holder: string;
  try {
    holder = realpathSync(join(dataDir, "postgres"));
  } catch {
    return null;
  }
  const live = findPostmaster(`${holder}/cluster`);
  return live === null ? null : socketUrl(live.socketFolder, DATABASE_NAME);
}

interface ReadyServer {
  readonly pid: number;
  readonly socketFolder: string;
  readonly wasAdopted: boolean;
}

async function adopt(holder: string): Promise<ReadyServer | null> {
  const cluster = `${holder}/cluster`;
  for (let polls = 0; polls < PATIENCE_POLLS; polls += 1) {
    const live = findPostmaster(cluster);
    if (live === null) return null;
    if (await canOpenSession(live.socketFolder)) return { ...live, wasAdopted: true };
    // The server is starting, recovering or shutting down: each ends with a usable session or without a server
    await sleep(POLL_MS);
  }
  throw new LaunchError(
    `DATA_DIR: a database server on ${cluster} is running but does not answer; see ${holder}/postgres.log.`,
  );
}

async function start(
  holder: string,
  account: Account | null,
  options: LaunchOptions,
): Promise<ReadyServer> {
  const { isDurable = true } = options;
  const binaries = findBinaries(holder, account);
  const cluster = await openCluster(holder, binaries, account, isDurable);
  const socketFolder = openSocketFolder(holder, account);
  const settings = {
    ...serverSettings(socketFolder),
    ...(isDurable ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
    ...options.settings,
  };
  for (let attempt = 0; ; attempt += 1) {
    takeOverStaleLock(cluster, socketFolder);
    try {
      const pid = await startServer({ binaries, account, cluster, holder, socketFolder, settings });
      return { pid, socketFolder, wasAdopted: false };
    } catch (error) {
      // Backends of a killed server may still finish their last statement
      const isTransient = /still in use|lock file/.test(String(error));
      if (!isTransient || attempt >= 20) throw error;
      await sleep(500);
      if (attempt >= ORPHAN_ATTEMPTS) reportOrphans(killOrphans(cluster), options);
    }
  }
}

function reportOrphans(count: number, { onNotice }: LaunchOptions): void {
  if (count > 0) onNotice?.(`Processes of a killed database hung and were ended: ${count}.`);
}

async function stopServer(pid: number): Promise<void> {
  for (const signal of ["SIGINT", "SIGQUIT"] as const) {
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    for (let polls = 0; polls < PATIENCE_POLLS; polls += 1) {
      if (processIdentity(pid) === null) return;
      await sleep(POLL_MS);
    }
  }
}

function lockFolder(dataDir: string): () => void {
  try {
    return lockDataFolder(dataDir);
  } catch (error) {
    throw error instanceof LaunchError ? error : folderUnusable(dataDir, error);
  }
}

function isFileError(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code !== undefined && ["EACCES", "EPERM", "EROFS", "ENOTDIR", "ENOSPC"].includes(code);
}
