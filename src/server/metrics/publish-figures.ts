import type { Registry } from "prom-client";
import { repeatTask, type RepeatedTask } from "../pacing/repeat-task.ts";
import {
  deleteProcessFigures,
  saveProcessFigures,
  saveProcessSeen,
} from "../store/health/process-figures.ts";
import type { Stopped } from "../../domain/agent-health.ts";
import type { Db } from "../store/postgres/db.ts";

/** Interval in milliseconds at which a process without a page writes its figures down. */
const PUBLISH_MS = 5_000;

/** Interval in milliseconds at which a trading process writes down that it is there. */
const SEEN_MS = 1_000;

/**
 * Writes a process's metrics into the database, labelled with its name, for the processes that scrapers ask, and more
 * often that it is there.
 */
export function publishFigures(deps: {
  readonly db: Db;
  /** The lanes' pool: who cannot get one of its connections does not trade. */
  readonly lanes: Db;
  readonly registry: Registry;
  readonly worker: string;
  /** Returns what keeps this process from trading at present. */
  readonly stopped: () => readonly Stopped[];
  readonly onFailure: (error: unknown) => void;
}): Pick<RepeatedTask, "start" | "stop"> {
  const { db, lanes, registry, worker, stopped, onFailure } = deps;
  registry.setDefaultLabels({ worker: worker.slice(0, 8) });
  const rounds = repeatTask({
    task: async () => saveProcessFigures(db, worker, await registry.getMetricsAsJSON()),
    pauseMs: PUBLISH_MS,
    onFailure,
  });
  const seen = repeatTask({
    task: () => saveProcessSeen(lanes, worker, stopped()),
    pauseMs: SEEN_MS,
    onFailure,
  });
  return {
    start() {
      rounds.start();
      seen.start();
    },
    async stop() {
      await rounds.stop();
      await seen.stop();
      await deleteProcessFigures(db, worker).catch(onFailure);
    },
  };
}
