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

/** Starts a Node program and waits for its ready line; networks that ask the internet have to be named. */
export async function startProgram(
  file: string,
  env: Readonly<Record<string, string>>,
): Promise<Started> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [file], {
    env: { NETWORKS: "practice", ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  // A bench that fails must not leave the product running
  process.once("exit", () => child.kill("SIGTERM"));
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

/**
 * Memory of each of the product's processes, by the file it runs, in MiB; pages they share, as the runtime's own, are
 * divided among them. Empty without /proc.
 */
export function memoryMiBOf(pid: number): ReadonlyMap<string, number> {
  return ofEach(pid, (each) => proportionalKiB(String(each)) / 1024);
}

/** Ticks a second in which the kernel counts processor time. */
const TICKS = 100;

/** Processor time each of the product's processes has used, by the file it runs, in milliseconds; empty without /proc. */
export function cpuMsOf(pid: number): ReadonlyMap<string, number> {
  return ofEach(pid, ownCpuMs);
}

/** Reads a figure of the product's main process and of those it started that run a file of ours. */
function ofEach(pid: number, read: (pid: number) => number): ReadonlyMap<string, number> {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ");
    const pids = [pid, ...children.filter(Boolean).map(Number)];
    return new Map(
      pids.flatMap((each) => {
        const file = /(\w+)\.js/.exec(readFileSync(`/proc/${each}/cmdline`, "utf8"))?.[1];
        return file === undefined ? [] : [[file, read(each)] as const];
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
  return pids.reduce((sum, pid) => sum + cpuMsOfBackend(pid), ownCpuMs(postmaster));
}

function cpuMsOfBackend(pid: number): number {
  try {
    return ownCpuMs(pid);
  } catch {
    // It has ended since, and its time is the postmaster's at the next look
    return 0;
  }
}

/** Processor time of one process, in milliseconds; NaN without /proc. */
export function cpuMsOfProcess(pid: number): number {
  try {
    return ownCpuMs(pid);
  } catch {
    return Number.NaN;
  }
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
