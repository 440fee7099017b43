import type { Registry } from "prom-client";
import { createRounds, type Rounds } from "../rounds.ts";
import { deleteProcessFigures, saveProcessFigures } from "../store/health/process-figures.ts";
import type { Db } from "../store/postgres/db.ts";

/** Interval in milliseconds at which a process without a page writes its figures down. */
const PUBLISH_MS = 5_000;

/** Writes a process's metrics into the database, labelled with its name, for the processes that scrapers ask. */
export function publishFigures(deps: {
  readonly db: Db;
  readonly registry: Registry;
  readonly worker: string;
  readonly onFailure: (error: unknown) => void;
}): Pick<Rounds, "start" | "stop"> {
  const { db, registry, worker, onFailure } = deps;
  registry.setDefaultLabels({ worker: worker.slice(0, 8) });
  const rounds = createRounds({
    round: async () => saveProcessFigures(db, worker, await registry.getMetricsAsJSON()),
    pauseMs: PUBLISH_MS,
    onFailure,
  });
  return {
    start: rounds.start,
    async stop() {
      await rounds.stop();
      await deleteProcessFigures(db, worker).catch(onFailure);
    },
  };
}
