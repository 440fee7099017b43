import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../random.ts";
import type { SupervisedServer } from "./supervised-server.ts";
import { signalAll } from "./process-tree.ts";
import type { ProofDatabase } from "./proof-database.ts";

/** Number of kills and pauses so far. */
export interface Disturbed {
  readonly kills: number;
  readonly pauses: number;
}

/** Percentage of kills that do not wait for recovery from the previous kill, so that they hit a start or a recovery. */
const IMPATIENT_PERCENT = 15;

/** Pause in milliseconds before another victim is picked when the first was not running. */
const LOOK_MS = 20;

/** Percentage of kills before which a process is stopped for a while. */
const PAUSED_PERCENT = 30;
const PAUSE_MS = { least: 50, most: 1_500 };

/** Percentage of kills beside which a process of several servers is stopped until after its leases ended. */
const LONG_PAUSED_PERCENT = 5;
const LONG_PAUSE_MS = { least: 11_000, most: 15_000 };

/** Kills and pauses processes of servers and database at moments that the seed decides. */
export async function disturb(deps: {
  readonly servers: readonly [SupervisedServer, ...SupervisedServer[]];
  readonly database: ProofDatabase;
  readonly kills: number;
  /** Longest time between recovery and the next kill, in milliseconds. */
  readonly momentMs: number;
  /** Resolves when alerts are acknowledged again. */
  readonly recovered: () => Promise<void>;
  readonly random: Random;
  readonly signal: AbortSignal;
  readonly onKill: (done: Disturbed) => void;
}): Promise<Disturbed> {
  const { servers, database, random, signal } = deps;
  const programs = servers[0].programs();
  const victims = ["server", "database", "server and database", ...programs] as const;
  const longPauses: Promise<void>[] = [];
  let pauses = 0;

  const pause = async (limits: { least: number; most: number }): Promise<void> => {
    const server = random.pick(servers);
    const target = random.pick(["database", ...programs]);
    const pauseMs = random.int(limits.least, limits.most);
    const process = server.processOf(target);
    const pids =
      target === "database" ? database.processes() : process === undefined ? [] : [process];
    if (pids.length === 0) return;
    pauses += 1;
    signalAll(pids, "SIGSTOP");
    try {
      await sleep(pauseMs, undefined, { signal });
    } finally {
      signalAll(pids, "SIGCONT");
    }
  };

  /** Returns false when the victim was not there: it is being started again. */
  const kill = async (server: SupervisedServer, victim: string): Promise<boolean> => {
    if (victim === "server") return server.kill();
    if (victim === "database") return database.kill();
    if (victim === "server and database") return server.kill() && database.kill();
    const process = server.processOf(victim);
    return process !== undefined && signalAll([process], "SIGKILL");
  };

  try {
    for (let kills = 1; kills <= deps.kills; kills += 1) {
      signal.throwIfAborted();
      const server = random.pick(servers);
      if (!random.chance(IMPATIENT_PERCENT)) await deps.recovered();
      await sleep(random.int(0, deps.momentMs), undefined, { signal });
      if (random.chance(PAUSED_PERCENT)) await pause(PAUSE_MS);
      if (servers.length > 1 && random.chance(LONG_PAUSED_PERCENT)) {
        longPauses.push(pause(LONG_PAUSE_MS).catch(() => {}));
      }
      while (!(await kill(server, random.pick(victims)))) {
        server.requireUsable();
        await sleep(LOOK_MS, undefined, { signal });
      }
      deps.onKill({ kills, pauses });
    }
  } finally {
    await Promise.all(longPauses);
  }
  return { kills: deps.kills, pauses };
}
