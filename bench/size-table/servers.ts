import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { freePort } from "../../test/server-process.ts";
import { writeKeyFile } from "../../test/key-file.ts";
import { newDataDir } from "../bench-database.ts";
import { cpuMsOf, memoryMiBOf, type Started, startProgram } from "../processes.ts";

const PRODUCT = join(import.meta.dirname, "../server/main.js");
const BASELINE = join(import.meta.dirname, "baseline.js");

/** Settings of a PostgreSQL that several servers share. */
export const SHARED = { max_connections: "300" };

/** Programs of one kind on one database. */
export interface Servers {
  readonly ports: readonly number[];
  readonly sessionSecret: string;
  /** Time until each was ready, in milliseconds. */
  readonly readyMs: readonly number[];
  /** Processor time of all of them, in milliseconds. */
  cpuMs(): number;
  memoryMiB(): number;
  stop(): Promise<void>;
}

const running = new Set<Started>();

/** Stops what a row that failed left running. */
export async function stopLeftOver(): Promise<void> {
  for (const each of running) await each.stop();
  running.clear();
}

async function startAll(
  file: string,
  count: number,
  env: Readonly<Record<string, string>>,
): Promise<Servers> {
  const sessionSecret = env["SESSION_SECRET"] ?? randomBytes(32).toString("hex");
  const keyFile = writeKeyFile(newDataDir());
  const [ports, started]: [number[], Started[]] = [[], []];
  while (started.length < count) {
    const port = await freePort();
    const own = { DATA_DIR: newDataDir(), PORT: `${port}`, SESSION_SECRET: sessionSecret };
    const keys = { DELEGATE_SECRET_FILE: keyFile };
    const program = await startProgram(file, { LOG_LEVEL: "warn", ...own, ...keys, ...env });
    running.add(program);
    started.push(program);
    ports.push(port);
  }
  const sum = (of: (pid: number) => number) =>
    started.reduce((total, { pid }) => total + of(pid), 0);
  return {
    ports,
    sessionSecret,
    readyMs: started.map(({ readyMs }) => readyMs),
    cpuMs: () => sum((pid) => sumOf(cpuMsOf(pid))),
    memoryMiB: () => sum((pid) => sumOf(memoryMiBOf(pid))),
    async stop() {
      for (const each of started) {
        await each.stop();
        running.delete(each);
      }
    },
  };
}

/** Returns the sum of the processes' figures. */
const sumOf = (figures: ReadonlyMap<string, number>): number =>
  [...figures.values()].reduce((total, figure) => total + figure, 0);

export const startProduct = (url: string, count = 1, env: Readonly<Record<string, string>> = {}) =>
  startAll(PRODUCT, count, { DATABASE_URL: url, ...env });

export const startBare = (url: string, count = 1) =>
  startAll(BASELINE, count, { DATABASE_URL: url });

export const pause = (seconds: number) =>
  new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
