import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { processCommand, processIdentity } from "./process-identity.ts";

/** The database server currently running on the cluster. */
export interface LivePostmaster {
  readonly pid: number;
  readonly socketFolder: string;
}

/** Returns the server running on this cluster, else null. */
export function findPostmaster(cluster: string): LivePostmaster | null {
  const lines = readLines(cluster);
  const pid = Number(lines[0] ?? "");
  // A reused process id belongs to another process: our server's command line contains the cluster's path
  if (processIdentity(pid) === null || !processCommand(pid).includes(cluster)) return null;
  return { pid, socketFolder: lines[4] ?? "" };
}

/**
 * Lets a new server start despite the lock file of one that died.
 *
 * PostgreSQL refuses to start while the process id in its lock exists, even as a zombie or an unrelated process. The
 * lock is kept with our own process id, which PostgreSQL ignores as its parent's: its check for orphaned backends still
 * runs.
 */
export function takeOverStaleLock(cluster: string, socketFolder: string): void {
  const lines = readLines(cluster);
  if (lines.length > 1) {
    lines[0] = `${process.pid}`;
    writeFileSync(join(cluster, "postmaster.pid"), lines.join("\n"));
  }
  rmSync(join(socketFolder, ".s.PGSQL.5432.lock"), { force: true });
}

/**
 * Removes a lock file that names no process: its server was killed, or the machine lost its power, before it was written.
 * PostgreSQL refuses to start beside it for ever. Another server must not be about to write it.
 */
export function removeUnwrittenLock(cluster: string): void {
  const [pid = ""] = readLines(cluster);
  if (!/^[1-9]\d*$/.test(pid)) rmSync(join(cluster, "postmaster.pid"), { force: true });
}

function readLines(cluster: string): string[] {
  try {
    return readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n");
  } catch {
    return [];
  }
}
