import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

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
