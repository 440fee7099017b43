import { type ChildProcess, fork } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ConfigError, loadConfig } from "../config.ts";
import { superviseSigner } from "./supervise-signer.ts";

/** Secrets of the trading keys: the web process has them neither in memory nor in its environment. */
const KEY_SECRETS = ["DELEGATE_SECRET", "DELEGATE_SECRETS_RETIRED"];

/** Environment variables that only the web process needs. */
const SERVER_SECRETS = ["SESSION_SECRET", "DATABASE_OWNER_URL", "METRICS_TOKEN", "JUPITER_API_KEY"];

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const here = dirname(fileURLToPath(import.meta.url));

function start(name: string, without: readonly string[]): ChildProcess {
  const kept = Object.entries(process.env).filter(([key]) => !without.includes(key));
  return fork(join(here, `${name}.js`), {
    env: Object.fromEntries(kept),
    serialization: "advanced",
    execArgv: ["--enable-source-maps"],
  });
}

function run(): void {
  const server = start("web", KEY_SECRETS);
  const stopSigner = superviseSigner(server, () => start("signer", SERVER_SECRETS));
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      // A terminal signals the whole process group itself
      if (signal === "SIGTERM" || !process.stdin.isTTY) server.kill(signal);
    });
  }
  server.on("exit", (code) => {
    stopSigner();
    process.exitCode = code ?? 1;
    for (const signal of SIGNALS) process.removeAllListeners(signal);
  });
}

try {
  loadConfig(process.env);
  run();
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
