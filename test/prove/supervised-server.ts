import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { launchServer, type ServerProcess } from "../server-process.ts";
import { descendantsOf, findProcess, programOf, signalAll } from "./process-tree.ts";

/** A server that is started again whenever it ended, as a service manager does. */
export interface SupervisedServer {
  readonly url: string;
  /** Resolves when the server that runs now, or the next one, is ready; rejects when none comes up any more. */
  ready(): Promise<void>;
  isReady(): boolean;
  /** Throws when none comes up any more. */
  requireUsable(): void;
  /** Names of the programs it consists of, `main` first. */
  programs(): readonly string[];
  /** Returns the process of one of its programs; undefined while there is none. */
  processOf(program: string): number | undefined;
  /** Kills all its processes at once; returns whether there were any. */
  kill(): boolean;
  /** Stops it in an orderly way and resolves when it has ended. */
  stop(): Promise<void>;
}

/** Pause before an ended server is started again, in milliseconds. */
const RESTART_MS = 50;

/** A server that was not ready for this long, in milliseconds, counts as broken. */
const BROKEN_MS = 120_000;

export function keepServer(
  main: string,
  url: string,
  env: NodeJS.ProcessEnv,
  logFile: string,
): SupervisedServer {
  const launch = () => launchServer(main, env, (line) => appendFileSync(logFile, `${line}\n`));
  let server: ServerProcess = launch();
  let isReady = false;
  let isStopping = false;
  let problem: Error | null = null;

  const keep = async (): Promise<void> => {
    let lastReadyMs = Date.now();
    for (;;) {
      try {
        await server.ready;
        isReady = true;
        await server.ended;
        lastReadyMs = Date.now();
      } catch (error) {
        if (Date.now() - lastReadyMs > BROKEN_MS) problem = error as Error;
      }
      isReady = false;
      if (isStopping || problem !== null) return;
      await sleep(RESTART_MS);
      if (isStopping) return;
      server = launch();
    }
  };
  const kept = keep();

  const requireUsable = () => {
    if (problem !== null) throw problem;
  };

  return {
    url,
    isReady: () => isReady,
    requireUsable,
    async ready() {
      while (!isReady) {
        requireUsable();
        await sleep(10);
      }
    },
    programs: () => [
      "main",
      ...new Set(descendantsOf(server.pid).flatMap((pid) => programOf(pid) ?? [])),
    ],
    processOf: (program) => (program === "main" ? server.pid : findProcess(server.pid, program)),
    kill: () => signalAll([server.pid, ...descendantsOf(server.pid)], "SIGKILL"),
    async stop() {
      isStopping = true;
      server.signal("SIGTERM");
      await kept;
    },
  };
}
