import { spawn } from "node:child_process";
import {
  closeSync,
  existsSync,
  fchownSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Account, LaunchError } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import { DATABASE_ENVIRONMENT } from "./cluster.ts";
import { tryDoor } from "./passwords.ts";

/** Settings of the embedded server: small enough for a laptop, durable, no network. */
export function serverSettings(socketFolder: string): Record<string, string> {
  return {
    listen_addresses: "",
    unix_socket_directories: socketFolder,
    unix_socket_permissions: "0700",
    shared_buffers: "64MB",
    max_connections: "110",
    // What one session's sorting may take of the disk
    temp_file_limit: "1GB",
    jit: "off",
    wal_level: "minimal",
    max_wal_senders: "0",
    max_parallel_workers_per_gather: "0",
    max_parallel_maintenance_workers: "0",
    log_checkpoints: "off",
    timezone: "UTC",
    log_timezone: "UTC",
    io_method: "sync",
  };
}

const LOG_LIMIT_BYTES = 10_000_000;
const POLL_MS = 15;
/** How long a server may be without an answer and without progress of its recovery, which it logs every ten seconds. */
const PATIENCE_MS = 60_000;

interface ServerToStart {
  readonly binaries: Binaries;
  readonly account: Account | null;
  readonly cluster: string;
  readonly holder: string;
  /** URL of the role that owns everything. */
  readonly url: string;
  readonly patienceMs?: number | undefined;
  readonly settings: Readonly<Record<string, string>>;
}

/** Starts the server and returns its process id once a session can be opened; throws `LaunchError`. */
export async function startServer(server: ServerToStart): Promise<number> {
  const logPath = logOf(server.holder);
  const log = openLog(logPath, server.account);
  const logStart = statSync(logPath).size;
  const { account, binaries, cluster, settings } = server;
  const child = spawn(
    binaries.postgres,
    [
      "-D",
      cluster,
      ...Object.entries(settings).flatMap(([key, value]) => ["-c", `${key}=${value}`]),
    ],
    {
      cwd: cluster,
      env: DATABASE_ENVIRONMENT,
      // Own process group, so that Ctrl-C in a terminal stops the app first and the database last
      detached: true,
      stdio: ["ignore", log, log],
      ...(account === null ? {} : { uid: account.uid, gid: account.gid }),
    },
  );
  closeSync(log);
  child.unref();
  let hasEnded = false;
  child.once("exit", () => (hasEnded = true));
  child.once("error", () => (hasEnded = true));
  if (await answers({ ...server, door: () => (hasEnded ? null : server.url) }))
    return child.pid ?? 0;
  if (!hasEnded) child.kill("SIGQUIT");
  const said = readFileSync(logPath, "utf8").slice(logStart);
  const reason = /(?:FATAL|PANIC): {2}(.*)/.exec(said)?.[1] ?? "it did not become ready";
  throw new LaunchError(
    `DATA_DIR: the database in ${cluster} did not start: ${reason}. Its log is ${logPath}.`,
  );
}

const logOf = (holder: string): string => join(holder, "postgres.log");

/**
 * Waits until a session can be opened, as long as the server is there and its recovery gets on: a kill would have the
 * next start begin it again.
 */
export async function answers(server: {
  readonly holder: string;
  readonly patienceMs?: number | undefined;
  /** Returns the URL of the server; null when it has ended. */
  readonly door: () => string | null;
}): Promise<boolean> {
  for (let before = progressOf(server.holder); ;) {
    const untilMs = performance.now() + (server.patienceMs ?? PATIENCE_MS);
    while (performance.now() < untilMs) {
      const url = server.door();
      if (url === null) return false;
      if ((await tryDoor(url)) !== "away") return true;
      await sleep(POLL_MS);
    }
    const now = progressOf(server.holder);
    if (now === before) return false;
    before = now;
  }
}

/** Returns how far recovery was when the server last logged it. */
function progressOf(holder: string): string | undefined {
  const log = existsSync(logOf(holder)) ? readFileSync(logOf(holder), "utf8") : "";
  return log.match(/elapsed time: .*/g)?.at(-1);
}

function openLog(path: string, account: Account | null): number {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_LIMIT_BYTES) renameSync(path, `${path}.old`);
  const log = openSync(path, "a", 0o600);
  if (account !== null) fchownSync(log, account.uid, account.gid);
  return log;
}
