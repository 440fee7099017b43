import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { processCommand } from "../../src/server/store/launch/process-identity.ts";

interface Listed {
  readonly pid: number;
  readonly parent: number;
}

/** Returns every process below this one, nearest first; zombies are left out. */
export function descendantsOf(pid: number): readonly number[] {
  const all = existsSync("/proc/self/stat") ? listFromProc() : listFromPs();
  const found: number[] = [];
  for (let level = [pid]; level.length > 0;) {
    level = all.flatMap((each) => (level.includes(each.parent) ? [each.pid] : []));
    found.push(...level);
  }
  return found;
}

/** Returns the process below this one that runs the file `<name>.js`; undefined when there is none. */
export function findProcess(pid: number, name: string): number | undefined {
  return descendantsOf(pid).find((each) => programOf(each) === name);
}

/** Returns the name of the JavaScript file a process runs, without its ending; null for another program. */
export function programOf(pid: number): string | null {
  return /([\w-]+)\.js(?:\s|$)/.exec(processCommand(pid))?.[1] ?? null;
}

/** Sends a signal to every process that still exists; returns whether there was one. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): boolean {
  const reached = pids.filter((pid) => {
    try {
      return process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      return false;
    }
  });
  return reached.length > 0;
}

function listFromProc(): Listed[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return state === "Z" ? [] : [{ pid: Number(name), parent: Number(parent) }];
    } catch {
      return [];
    }
  });
}

function listFromPs(): Listed[] {
  const { stdout } = spawnSync("ps", ["-axo", "pid=,ppid=,stat="], { encoding: "utf8" });
  return stdout.split("\n").flatMap((line) => {
    const [pid, parent, state = "Z"] = line.trim().split(/\s+/);
    return state.startsWith("Z") ? [] : [{ pid: Number(pid), parent: Number(parent) }];
  });
}
