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
