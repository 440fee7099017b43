import { createHash, randomUUID } from "node:crypto";
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmdirSync,
  statSync,
  symlinkSync,
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { SWITCH_FILE } from "../../data-folder/kill-switch.ts";
import { makeFolder } from "../../data-folder/make-folder.ts";
import { type Account, canReach, nameOfUser } from "./account.ts";
import { LaunchError } from "./launch-error.ts";
import { processIdentity } from "./process-identity.ts";

interface Holder {
  readonly pid: number;
  readonly identity: string | null;
}

/**
 * Locks the data folder and returns the release function; throws `LaunchError` naming the process that holds the
 * folder.
 */
export function lockDataFolder(dataDir: string): () => void {
  const path = join(dataDir, "app.lock");
  const mine = JSON.stringify({ pid: process.pid, identity: processIdentity(process.pid) });
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, mine, { mode: 0o600 });
  try {
    while (!claim(draft, path)) removeIfStale(path, dataDir);
  } finally {
    rmSync(draft, { force: true });
  }
  return () => {
    if (readIfThere(path) === mine) rmSync(path, { force: true });
  };
}

// A hard link is atomic, so no reader sees a partly written lock
function claim(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function removeIfStale(path: string, dataDir: string): void {
  const seen = readIfThere(path);
  if (seen === null) return;
  const holder = parseHolder(seen);
  if (holder !== null && isAlive(holder)) {
    throw new LaunchError(
      `DATA_DIR: ${dataDir} is in use by process ${holder.pid}; stop it or choose another folder.`,
    );
  }
  // Renamed before deletion, so that only one of two starting processes removes a given stale lock
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  if (readIfThere(aside) !== seen) claim(aside, path);
  rmSync(aside, { force: true });
}

function isAlive(holder: Holder): boolean {
  const identity = processIdentity(holder.pid);
  return identity !== null && identity === holder.identity;
}

function parseHolder(text: string): Holder | null {
  try {
    const { pid, identity } = JSON.parse(text) as Partial<Holder>;
    return typeof pid === "number" ? { pid, identity: identity ?? null } : null;
  } catch {
    return null;
  }
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

/** Maximum length of a PostgreSQL socket path in bytes, file name included. */
const SOCKET_PATH_LIMIT_BYTES = 103;

/** System folder for the data of services. */
const SYSTEM_FOLDER = "/var/lib/wheelhouse";

/** Names of the app's own files in a data folder. */
const OUR_FILES = /^(?:postgres|[a-z-]+\.secret|[a-z-]+\.lock)$/;

/** Creates the data folder if missing and returns its real path. */
export function openDataFolder(dataDir: string): string {
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
export function openHolder(
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
export function openSocketFolder(holder: string, account: Account | null): string {
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
export function folderOfOthers(folder: string, ownerUid: number): LaunchError {
  const name = nameOfUser(ownerUid);
  return new LaunchError(
    `DATA_DIR: ${folder} belongs to the account ${name}; run this as that account (sudo -u '${name}' …) or choose another folder.`,
  );
}

/** Returns an error with one line on why the data folder cannot be used. */
export function folderUnusable(dataDir: string, error: unknown): LaunchError {
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
