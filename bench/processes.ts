import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface Started {
  readonly pid: number;
  /** Time from spawn to the ready line, in milliseconds. */
  readonly readyMs: number;
  stop(): Promise<void>;
}

/** Starts a Node program and waits for its ready line. */
export async function startProgram(
  file: string,
  env: Readonly<Record<string, string>>,
): Promise<Started> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const ready = new Promise<number>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (line.includes("ready at")) resolve(performance.now() - startedAt);
    });
    void ended.then(() => reject(new Error(`${file} ended before it was ready.`)));
  });
  const readyMs = await ready;
  return {
    pid: child.pid ?? 0,
    readyMs,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Resident memory of a process and of those it started that run Node, in MiB; NaN where /proc is missing. */
export function residentMiB(pid: number): number {
  try {
    const path = `/proc/${pid}/task/${pid}/children`;
    const children = readFileSync(path, "utf8").split(" ").filter(Boolean).map(Number);
    const others = children.filter((child) => nameOf(child) === nameOf(pid));
    return ownMiB(pid) + others.reduce((sum, child) => sum + ownMiB(child), 0);
  } catch {
    return Number.NaN;
  }
}

const nameOf = (pid: number): string => readFileSync(`/proc/${pid}/comm`, "utf8");

function ownMiB(pid: number): number {
  try {
    const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    return parseInt(line?.[1] ?? "", 10) / 1024;
  } catch {
    return Number.NaN;
  }
}

/** Ticks a second in which the kernel counts processor time. */
const TICKS = 100;

/** Processor time each of the product's processes has used, by the file it runs, in milliseconds; empty without /proc. */
export function cpuMsOf(pid: number): ReadonlyMap<string, number> {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ");
    const pids = [pid, ...children.filter(Boolean).map(Number)];
    return new Map(
      pids.flatMap((each) => {
        const file = /(\w+)\.js/.exec(readFileSync(`/proc/${each}/cmdline`, "utf8"))?.[1];
        return file === undefined ? [] : [[file, ownCpuMs(each)] as const];
      }),
    );
  } catch {
    return new Map();
  }
}

/** Processor time of the database's processes, those that ended included, in milliseconds. */
export function databaseCpuMs(postmaster: number): number {
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, "utf8");
  const pids = children.split(" ").filter(Boolean).map(Number);
  return pids.reduce((sum, pid) => sum + ownCpuMs(pid), ownCpuMs(postmaster));
}

/** Own time and that of children which ended: fields 14 to 17 of the file, which begins behind the name. */
function ownCpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  const ticks = fields.slice(11, 15).reduce((sum, text) => sum + Number(text), 0);
  return (ticks * 1_000) / TICKS;
}

/** Memory of the embedded database in MiB, pages shared by its processes counted once; NaN where /proc is missing. */
export function databaseMiB(dataDir: string): number {
  try {
    const pidFile = join(dataDir, "postgres", "cluster", "postmaster.pid");
    const postmaster = readFileSync(pidFile, "utf8").split("\n", 1)[0] ?? "";
    const pids = readdirSync("/proc").filter(
      (pid) => /^\d+$/.test(pid) && isPartOf(postmaster, pid),
    );
    return pids.reduce((sum, pid) => sum + proportionalKiB(pid), 0) / 1024;
  } catch {
    return Number.NaN;
  }
}

function isPartOf(postmaster: string, pid: string): boolean {
  if (pid === postmaster) return true;
  try {
    const [, parent] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return parent === postmaster;
  } catch {
    // The process has ended
    return false;
  }
}

const proportionalKiB = (pid: string): number =>
  parseInt(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? "", 10);
