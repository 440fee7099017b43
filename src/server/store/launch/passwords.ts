import { createHmac, randomBytes } from "node:crypto";
import { chownSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inSession } from "../postgres/in-session.ts";
import { nameOfUser, LaunchError } from "./account.ts";

/** Name of the file with the secret that every role's password is made from. */
const SECRET_FILE = "database.secret";

/** Who may connect: whoever has the password of a role; the system's account alone is not enough. */
const RULES = "local all all scram-sha-256\nlocal replication all scram-sha-256\n";

/** The same without passwords, for the moment in which lost or missing ones are set. */
const NO_PASSWORDS = "local all all trust\n";

const POLL_MS = 50;

/** Readings of the rules before a server counts as one that does not take them, ten seconds of waiting. */
const PATIENCE_POLLS = 10_000 / POLL_MS;

/** Returns the password of a role of a data folder's database; undefined where none has been made yet. */
export function passwordOf(dataDir: string, role: string): string | undefined {
  const path = join(dataDir, SECRET_FILE);
  try {
    return createHmac("sha256", readFileSync(path)).update(role).digest("hex");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    if (code !== "EACCES") throw error;
    throw new LaunchError(
      `DATA_DIR: only the account ${nameOfUser(statSync(path).uid)} may read ${path}; run this as that account.`,
    );
  }
}

/** Makes the secret of the passwords if missing; only this account can read it. Called under the folder's lock. */
export function makePasswords(dataDir: string): void {
  if (passwordOf(dataDir, OWNER) !== undefined) return;
  const path = join(dataDir, SECRET_FILE);
  writeFileSync(`${path}.new`, randomBytes(32).toString("hex"), { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
}

/** A running server and where its files are. */
interface RunningServer {
  readonly pid: number;
  readonly cluster: string;
  readonly socketFolder: string;
}

/**
 * Has a server ask each role for its password. A cluster of an earlier version, and one whose secret was lost, gets
 * the passwords first; only for that moment, before anything else of ours runs, it asks for none.
 */
export async function requirePasswords(
  server: RunningServer,
  dataDir: string,
  roles: readonly string[],
): Promise<void> {
  const urlOf = (name: string) =>
    socketUrl(server.socketFolder, "postgres", name, passwordOf(dataDir, name));
  const isAsked = readFileSync(rulesOf(server.cluster), "utf8") === RULES;
  const isOpen = async (name: string) => (await tryDoor(urlOf(name))) === "open";
  const names = [OWNER, ...roles];
  if (isAsked && (await Promise.all(names.map(isOpen))).every(Boolean)) return;
  for (let polls = 0; !(await isOpen(OWNER)); polls += 1) {
    if (polls === PATIENCE_POLLS) {
      throw new LaunchError(`DATA_DIR: the database in ${server.cluster} takes no new passwords.`);
    }
    writeRules(server, NO_PASSWORDS);
    process.kill(server.pid, "SIGHUP");
    await sleep(POLL_MS);
  }
  await inSession(urlOf(OWNER), async (client) => {
    const known = await client.query<{ name: string }>("select rolname as name from pg_roles");
    for (const name of names) {
      if (!known.rows.some((row) => row.name === name))
        await client.query(`create role ${client.escapeIdentifier(name)} login`);
      const password = client.escapeLiteral(passwordOf(dataDir, name) ?? "");
      await client.query(`alter role ${client.escapeIdentifier(name)} password ${password}`);
    }
    writeRules(server, RULES);
    await client.query("select pg_reload_conf()");
  });
}

const rulesOf = (cluster: string): string => join(cluster, "pg_hba.conf");

/** Replaces the file at once, so that a kill leaves one that the server can read. */
function writeRules({ cluster }: RunningServer, rules: string): void {
  const { uid, gid } = statSync(cluster);
  const draft = `${rulesOf(cluster)}.new`;
  writeFileSync(draft, rules, { mode: 0o600, flush: true });
  // A service may not change owners, not even to its own account
  if (process.getuid?.() !== uid) chownSync(draft, uid, gid);
  renameSync(draft, rulesOf(cluster));
}

/** The role that owns everything in the embedded database. */
export const OWNER = "postgres";

/** Returns the URL of a database behind the socket, for the owning role or another. */
export function socketUrl(
  socketFolder: string,
  database: string,
  role = OWNER,
  password?: string,
): string {
  const proof = password === undefined ? "" : `&password=${password}`;
  return `postgres:///${database}?host=${encodeURIComponent(socketFolder)}&user=${role}${proof}`;
}

const INVALID_PASSWORD = "28P01";

/** Tries a session: `away` also means that the server is still in recovery behind its open socket. */
export async function tryDoor(url: string): Promise<"open" | "wrong password" | "away"> {
  try {
    await inSession(url, (client) => client.query("select 1"));
    return "open";
  } catch (error) {
    return (error as { code?: string }).code === INVALID_PASSWORD ? "wrong password" : "away";
  }
}

/** Creates the database if missing. */
export async function makeDatabase(ownerUrl: string, name: string): Promise<void> {
  await inSession(ownerUrl, async (client) => {
    const found = await client.query("select 1 from pg_database where datname = $1", [name]);
    if (found.rowCount === 0)
      await client.query(`create database ${client.escapeIdentifier(name)}`);
  });
}
