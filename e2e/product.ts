import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const MAIN = join(import.meta.dirname, "../dist/server/main.js");

/** The built product running as its own process, with its database on disk. */
export interface Product {
  readonly url: string;
  /** Kills the process with SIGKILL, without a shutdown. */
  kill(): Promise<void>;
  /** Returns the id of one of its processes; throws while it is away. */
  pidOf(process: "people" | "trading" | "signer"): number;
  /** Sends SIGTERM and resolves to the exit code. */
  stop(): Promise<number | null>;
}

export async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("No port.");
  return address.port;
}

export function makeDataDir(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "wheelhouse-e2e-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Returns the id of a child process by the file it runs. */
function childOf(parent: number, file: string): number {
  const found = execFileSync("pgrep", ["-P", String(parent), "-f", file], { encoding: "utf8" });
  return Number(found.trim());
}

/** Starts the product; resolves when it prints its address, rejects with its output when it exits before. */
export async function startProduct(
  dataDir: string,
  port: number,
  env: Readonly<Record<string, string>> = {},
): Promise<Product> {
  const child: ChildProcess = spawn(process.execPath, [MAIN], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: "warn", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said: string[] = [];
  const ended = once(child, "exit");
  const ready = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on("line", (line) => {
        said.push(line);
        const address = /ready (?:at|to trade for) (http\S+)/.exec(line)?.[1];
        if (address !== undefined) resolve(address);
      });
    }
    void ended.then(([code]) =>
      reject(new Error(`The product ended with ${String(code)}:\n${said.join("\n")}`)),
    );
  });
  const url = await ready;
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    const [code] = (await ended) as [number | null];
    return code;
  };
  return {
    url,
    kill: async () => {
      await end("SIGKILL");
    },
    pidOf: (name) => childOf(child.pid ?? 0, `${name}.js`),
    stop: () => end("SIGTERM"),
  };
}
