import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { processCommand, processIdentity } from "./process-identity.ts";

/** A database server that is running on the cluster right now. */
export interface LivePostmaster {
  readonly pid: number;
  readonly socketFolder: string;
}

/** Returns the server running on this cluster, else null. */
export function findPostmaster(cluster: string): LivePostmaster | null {
  const lines = readLines(cluster);
  const pid = Number(lines[0] ?? "");
  // A recycled number belongs to a stranger: the command line of our server names the cluster
  if (processIdentity(pid) === null || !processCommand(pid).includes(cluster)) return null;
  return { pid, socketFolder: lines[4] ?? "" };
}

/**
 * Lets a new server start over the lock of one that died.
 *
 * PostgreSQL refuses while the number in its lock exists, though it may be a zombie or a stranger. The lock is kept with
 * our own number in it, which PostgreSQL ignores as its parent's: its check for orphaned backends still runs.
 */
export function disownStaleLock(cluster: string, socketFolder: string): void {
  const lines = readLines(cluster);
  if (lines.length > 1) {
    lines[0] = `${process.pid}`;
    writeFileSync(join(cluster, "postmaster.pid"), lines.join("\n"));
  }
  rmSync(join(socketFolder, ".s.PGSQL.5432.lock"), { force: true });
}

function readLines(cluster: string): string[] {
  try {
    return readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n");
  } catch {
    return [];
  }
}
