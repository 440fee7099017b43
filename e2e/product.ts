import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { findProcess } from "../test/prove/process-tree.ts";
import { scratchRoot } from "../test/scratch-folder.ts";
import { freePort, launchServer } from "../test/server-process.ts";

export { freePort };

/** The built program. */
export const MAIN = join(import.meta.dirname, "../dist/server/main.js");

/** The built product running as its own process, with its database on disk. */
export interface Product {
  readonly url: string;
  readonly pid: number;
  /** Kills the process with SIGKILL, without a shutdown. */
  kill(): Promise<void>;
  /** Returns the id of one of its processes; throws while it is away. */
  pidOf(process: "web" | "trading" | "signer"): number;
  /** Sends SIGTERM and resolves to the exit code. */
  stop(): Promise<number | null>;
}

/** Makes an empty data folder; a test that shows what survives a kill asks for the disk. */
export function makeDataDir(root = scratchRoot()): { path: string; remove(): void } {
  const path = mkdtempSync(join(root, "wheelhouse-e2e-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Starts the product; resolves when it prints its address, rejects with its output when it exits before. */
export async function startProduct(
  dataDir: string,
  port: number,
  env: Readonly<Record<string, string>> = {},
  onLine?: (line: string) => void,
): Promise<Product> {
  // Paper would ask the exchanges, if this machine reaches them
  const usual = { NETWORKS: "practice", LOG_LEVEL: "warn" };
  const own = { ...usual, DATA_DIR: dataDir, PORT: String(port), ...env };
  const server = launchServer(MAIN, { ...process.env, ...own }, onLine);
  const url = await server.ready;
  const end = (signal: NodeJS.Signals) => {
    server.signal(signal);
    return server.ended;
  };
  return {
    url,
    pid: server.pid,
    kill: async () => {
      await end("SIGKILL");
    },
    pidOf: (name) => {
      const pid = findProcess(server.pid, name);
      if (pid === undefined) throw new Error(`The product has no process ${name}.`);
      return pid;
    },
    stop: () => end("SIGTERM"),
  };
}

/** Follows what the web and trading processes of servers say that they read of the operator's switch. */
export function followSwitch() {
  const states = new Map<string, string>();
  return {
    onLine(line: string): void {
      const [, pid, state] =
        /"pid":(\d+).*The operator's switch in the database says: (\w+)/.exec(line) ?? [];
      if (pid !== undefined && state !== undefined) states.set(pid, state);
    },
    /** Returns how many processes read this state last. */
    count: (state: string) => [...states.values()].filter((read) => read === state).length,
  };
}

/** Starts the product on empty data of its own, which go when it stops. */
export async function startAlone(
  env: Readonly<Record<string, string>> = {},
): Promise<Product & { readonly dataDir: string }> {
  const dataDir = makeDataDir();
  const product = await startProduct(dataDir.path, await freePort(), env);
  const stop = async () => {
    const code = await product.stop();
    dataDir.remove();
    return code;
  };
  return { ...product, stop, dataDir: dataDir.path };
}
