import {
  existsSync,
  realpathSync,
  statSync,
  readdirSync,
  readlinkSync,
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmdirSync,
  symlinkSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inSession } from "../postgres/in-session.ts";
import {
  forEachProcess,
  PROCESSES,
  type ProcessName,
  type ProcessUrls,
} from "../postgres/process-roles.ts";
import { repeatTask } from "../../pacing/repeat-task.ts";
import { databaseAccount, type Account, canReach, nameOfUser, LaunchError } from "./account.ts";
import { findBinaries } from "./binaries.ts";
import { openCluster } from "./cluster.ts";
import { lockDataFolder } from "./lock-data-folder.ts";
import {
  processIdentity,
  findPostmaster,
  removeUnwrittenLock,
  takeOverStaleLock,
} from "./process-identity.ts";
import {
  makePasswords,
  passwordOf,
  requirePasswords,
  makeDatabase,
  OWNER,
  socketUrl,
} from "./passwords.ts";
import { answers, serverSettings, startServer } from "./start-server.ts";
import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { SWITCH_FILE } from "../../data-folder/kill-switch.ts";
import { makeFolder } from "../../data-folder/open-secret.ts";

/** Maximum length of a PostgreSQL socket path in bytes, file name included. */
const SOCKET_PATH_LIMIT_BYTES = 103;

/** System folder for the data of services. */
const SYSTEM_FOLDER = "/var/lib/wheelhouse";

/** Names of the app's own files in a data folder. */
const OUR_FILES = /^(?:postgres|[a-z-]+\.secret|[a-z-]+\.lock)$/;

/** Creates the data folder if missing and returns its real path. */
function openDataFolder(dataDir: string): string {
  const wanted = resolve(dataDir);
  try {
    // Others may traverse but not list the folder: under root the database runs as another account
    makeFolder(wanted);
    return realpathSync(wanted);
  } catch (error) {
    throw folderUnusable(wanted, error);
  }
}

/**
 * Creates the database's own folder inside the data folder, owned by its account.
 *
 * Under root the account may be unable to traverse a private home above the data folder; the files are then in the
 * system's folder for such data and `postgres` is a symbolic link to them.
 */
function openHolder(
  dataDir: string,
  account: Account | null,
  onNotice: (line: string) => void = () => {},
): string {
  const holder = join(dataDir, "postgres");
  try {
    if (lstatSync(holder, { throwIfNoEntry: false })?.isSymbolicLink()) return realpathSync(holder);
    openPrivateFolder(holder, account);
    if (account === null) return holder;
    letThrough(dataDir);
    if (canReach(holder, account)) return holder;
    if (readdirSync(holder).length > 0) throw unreachable(dataDir, account);
    const elsewhere = openElsewhere(account);
    rmdirSync(holder);
    symlinkSync(elsewhere, holder);
    onNotice(
      `The database runs as ${account.name}, who cannot reach ${dataDir}: its files are in ${elsewhere}.`,
    );
    return elsewhere;
  } catch (error) {
    throw error instanceof LaunchError ? error : folderUnusable(dataDir, error);
  }
}

/** Creates a folder that the account can reach, with a random name; only the symbolic link refers to it. */
function openElsewhere(account: Account): string {
  mkdirSync(SYSTEM_FOLDER, { recursive: true, mode: 0o711 });
  const folder = mkdtempSync(join(SYSTEM_FOLDER, "data-"));
  chownSync(folder, account.uid, account.gid);
  return folder;
}

function unreachable(dataDir: string, account: Account): LaunchError {
  return new LaunchError(
    `DATA_DIR: the database runs as ${account.name}, who cannot reach ${dataDir}; choose a folder outside private homes, such as /var/lib/wheelhouse.`,
  );
}

/** Lets others traverse a data folder that contains only our files; any other folder stays unchanged. */
function letThrough(dataDir: string): void {
  const { uid, mode } = statSync(dataDir);
  const isOurs = readdirSync(dataDir).every(
    (name) => OUR_FILES.test(name) || SWITCH_FILE.test(name),
  );
  if (uid === process.getuid?.() && isOurs) chmodSync(dataDir, (mode & 0o777) | 0o011);
}

/** Creates the socket's folder: beside the data, or in the temporary folder when that path is too long. */
function openSocketFolder(holder: string, account: Account | null): string {
  const beside = join(holder, "run");
  const digest = createHash("sha256").update(holder).digest("hex").slice(0, 16);
  const folder = isShortEnough(beside) ? beside : join(tmpdir(), `wheelhouse-${digest}`);
  if (!isShortEnough(folder)) {
    throw new LaunchError(`DATA_DIR: the path ${holder} is too long for the database's socket.`);
  }
  openPrivateFolder(folder, account);
  return folder;
}

/** Returns an error that says as whom to run: the folder has another account's database in it, or its socket. */
function folderOfOthers(folder: string, ownerUid: number): LaunchError {
  const name = nameOfUser(ownerUid);
  return new LaunchError(
    `DATA_DIR: ${folder} belongs to the account ${name}; run this as that account (sudo -u '${name}' …) or choose another folder.`,
  );
}

/** Returns an error with one line on why the data folder cannot be used. */
function folderUnusable(dataDir: string, error: unknown): LaunchError {
  const code = (error as NodeJS.ErrnoException).code ?? String(error);
  return new LaunchError(
    `DATA_DIR: cannot use ${dataDir} (${code}); it must be a folder this user may write to.`,
  );
}

function isShortEnough(folder: string): boolean {
  return Buffer.byteLength(join(folder, ".s.PGSQL.5432")) <= SOCKET_PATH_LIMIT_BYTES;
}

function openPrivateFolder(folder: string, account: Account | null): void {
  const owner = account?.uid ?? process.getuid?.() ?? 0;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  // Another user may have created it first in a shared temporary folder
  if (!found.isDirectory() || (found.uid !== owner && found.uid !== process.getuid?.())) {
    throw folderOfOthers(folder, found.uid);
  }
  if (account !== null) chownSync(folder, account.uid, account.gid);
  chmodSync(folder, 0o700);
}

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
/** Role of each process; the first has the name of the one role of earlier versions, which goes on as it. */
const ROLE_NAMES = {
  web: "wheelhouse_app",
  trading: "wheelhouse_trading",
  signer: "wheelhouse_signer",
} as const satisfies Record<ProcessName, string>;
const POLL_MS = 20;

/** Maximum number of polls for our own fast shutdown. */
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
  /** How long a server may be without an answer and without progress of its recovery; a minute where it is not given. */
  readonly patienceMs?: number;
  /** False disables the restart of a server that ended by itself; for tests without a database. */
  readonly isKeptRunning?: boolean;
}

interface Patient extends LaunchOptions {
  readonly password: string | undefined;
}

/** The running embedded database. A server that ends by itself is restarted at the same address. */
export interface EmbeddedPostgres {
  /** Connection URL of the role that owns everything. */
  readonly url: string;
  /** Connection URL of each process, whose role owns nothing and has only granted rights. */
  readonly processUrls: ProcessUrls;
  /** Process id of the current server. */
  readonly pid: number;
  /** True when a server left running by a killed app was adopted. */
  readonly wasAdopted: boolean;
  /** Stops the server and releases the data folder. Must be called last. */
  stop(): Promise<void>;
}

/** Connections that each process's role may have of those in `serverSettings`: none takes the places of the others. */
const PLACES: Readonly<Record<ProcessName, number>> = { web: 40, trading: 40, signer: 16 };

const keepPlaces = (url: string): Promise<void> =>
  inSession(url, async (client) => {
    const { rows } = await client.query<{ isStandby: boolean }>(
      'select pg_is_in_recovery() as "isStandby"',
    );
    // A standby has the roles of its primary
    if (rows[0]?.isStandby === true) return;
    const limits = PROCESSES.map(
      (name) =>
        `alter role ${client.escapeIdentifier(ROLE_NAMES[name])} connection limit ${PLACES[name]}`,
    );
    await client.query(limits.join(";"));
  });

/** Starts or adopts the PostgreSQL of a data folder; throws `LaunchError` with one line for the user. */
export async function launchPostgres(options: LaunchOptions): Promise<EmbeddedPostgres> {
  const dataDir = openDataFolder(options.dataDir);
  const release = lockFolder(dataDir);
  try {
    const account = databaseAccount();
    const holder = openHolder(dataDir, account, options.onNotice);
    makePasswords(dataDir);
    const password = passwordOf(dataDir, OWNER);
    const patient = { ...options, password };
    const run = async () =>
      (await adopt(holder, patient)) ?? (await start(holder, account, patient));
    let server = await run();
    const { socketFolder, wasAdopted } = server;
    const running = { ...server, cluster: `${holder}/cluster` };
    await requirePasswords(running, dataDir, Object.values(ROLE_NAMES));
    const urlOf = (database: string, role: string) =>
      socketUrl(socketFolder, database, role, passwordOf(dataDir, role));
    const url = urlOf(DATABASE_NAME, OWNER);
    const processUrls = forEachProcess((name) => urlOf(DATABASE_NAME, ROLE_NAMES[name]));
    await makeDatabase(urlOf("postgres", OWNER), DATABASE_NAME);
    await keepPlaces(url);
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
      url,
      processUrls,
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
  if (live === null) return null;
  return socketUrl(live.socketFolder, DATABASE_NAME, OWNER, passwordOf(dataDir, OWNER));
}

interface ReadyServer {
  readonly pid: number;
  readonly socketFolder: string;
  readonly wasAdopted: boolean;
}

async function adopt(
  holder: string,
  { password, patienceMs }: Patient,
): Promise<ReadyServer | null> {
  const cluster = `${holder}/cluster`;
  const find = () => findPostmaster(cluster);
  const door = () => {
    const live = find();
    return live && socketUrl(live.socketFolder, "postgres", OWNER, password);
  };
  // The server is starting, recovering or shutting down: each ends with a usable session or without a server
  const isReady = await answers({ holder, patienceMs, door });
  const live = find();
  if (live === null) return null;
  if (isReady) return { ...live, wasAdopted: true };
  throw new LaunchError(
    `DATA_DIR: a database server on ${cluster} is running but does not answer; see ${holder}/postgres.log.`,
  );
}

async function start(
  holder: string,
  account: Account | null,
  options: Patient,
): Promise<ReadyServer> {
  const { isDurable = true, password } = options;
  const binaries = findBinaries(holder, account);
  const cluster = await openCluster(holder, binaries, account, isDurable);
  const socketFolder = openSocketFolder(holder, account);
  const settings = {
    ...serverSettings(socketFolder),
    ...(isDurable ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
    ...options.settings,
  };
  const url = socketUrl(socketFolder, "postgres", OWNER, password);
  for (let attempt = 0; ; attempt += 1) {
    takeOverStaleLock(cluster, socketFolder);
    try {
      const pid = await startServer({
        ...options,
        binaries,
        account,
        cluster,
        holder,
        url,
        settings,
      });
      return { pid, socketFolder, wasAdopted: false };
    } catch (error) {
      // Backends of a killed server may still finish their last statement
      const isTransient = /still in use|lock file/.test(String(error));
      if (!isTransient || attempt >= 20) throw error;
      await sleep(500);
      if (attempt < ORPHAN_ATTEMPTS) continue;
      const orphans = killOrphans(cluster);
      if (orphans === 0) removeUnwrittenLock(cluster);
      else options.onNotice?.(`Processes of a killed database hung and were ended: ${orphans}.`);
    }
  }
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
