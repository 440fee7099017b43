import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Returns an identity that differs from that of a later process with the same id; null when the process is gone.
 *
 * A zombie counts as gone: a container may never reap it, and it holds no resources.
 */
export function processIdentity(pid: number): string | null {
  if (!Number.isInteger(pid) || pid <= 0) return null;
  if (!existsSync("/proc/self/stat")) return identityFromPs(pid);
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state, startTicks] = [fields[0], fields[19]];
    if (state === "Z" || state === "X") return null;
    return `${bootId()}:${startTicks}`;
  } catch {
    return null;
  }
}

/** Whether two identities of one id are of one process: a service that sees no /proc/sys cannot tell the machine's start. */
export function isSameIdentity(one: string, other: string): boolean {
  const [started, otherStarted] = [one, other].map((each) => each.slice(each.indexOf(":")));
  return one === other || (started === otherStarted && (one === started || other === otherStarted));
}

/** Returns the command line of a process; empty when it is gone or may not be read. */
export function processCommand(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return existsSync("/proc/self/stat") ? "" : ps(pid, "command=");
  }
}

function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "";
  }
}

function identityFromPs(pid: number): string | null {
  const [state = "", ...started] = ps(pid, "stat=,lstart=").split(/\s+/);
  return state === "" || state.startsWith("Z") ? null : started.join(" ");
}

function ps(pid: number, columns: string): string {
  return (
    spawnSync("ps", ["-o", columns, "-p", `${pid}`], { encoding: "utf8" }).stdout?.trim() ?? ""
  );
}

/** The database server currently running on the cluster. */
interface LivePostmaster {
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
