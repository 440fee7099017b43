import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { createInterface } from "node:readline";

/** A server of the built product in a process of its own. */
export interface ServerProcess {
  readonly pid: number;
  /** Resolves to its address when it says that it is ready; rejects with what it said when it ended before. */
  readonly ready: Promise<string>;
  /** Resolves to its exit code, null after a signal. */
  readonly ended: Promise<number | null>;
  /** Does nothing when it has ended. */
  signal(signal: NodeJS.Signals): void;
}

/** Starts the program with these variables as its whole environment. */
export function launchServer(
  main: string,
  env: NodeJS.ProcessEnv,
  onLine: (line: string) => void = () => {},
): ServerProcess {
  const child = spawn(process.execPath, [main], { env, stdio: ["ignore", "pipe", "pipe"] });
  const said: string[] = [];
  const ended = once(child, "exit").then(([code]) => code as number | null);
  const ready = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on("line", (line) => {
        said.push(line);
        onLine(line);
        const address = /ready (?:at|to trade for) (http\S+)/.exec(line)?.[1];
        if (address !== undefined) resolve(address);
      });
    }
    void ended.then((code) =>
      reject(new Error(`The product ended with ${String(code)}:\n${said.join("\n")}`)),
    );
  });
  // Whoever only waits for its end does not look at this
  ready.catch(() => {});
  return { pid: child.pid ?? 0, ready, ended, signal: (signal) => void child.kill(signal) };
}

/** Ports of a worker of a test run: no two draw the same one before a server listens. */
const PORTS = 1_500;
const worker = Number(process.env["TEST_PARALLEL_INDEX"] ?? process.env["VITEST_POOL_ID"] ?? 0) % 8;
let drawn = randomInt(PORTS);

/**
 * Returns a free port below those that systems give to connections, so that none of these takes it before a server
 * listens; the ports at the offsets from it are free as well.
 */
export async function freePort(offsets: readonly number[] = []): Promise<number> {
  for (;;) {
    drawn = (drawn + 7) % PORTS;
    const port = 20_000 + worker * PORTS + drawn;
    const all = await Promise.all([0, ...offsets].map((offset) => isFree(port + offset)));
    if (!all.includes(false)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  const listens = await new Promise<boolean>((resolve) => {
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => resolve(true));
  });
  if (!listens) return false;
  probe.close();
  await once(probe, "close");
  return true;
}
