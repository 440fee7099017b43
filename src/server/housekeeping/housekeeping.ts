import type { Clock } from "../../domain/clock.ts";
import { createRounds } from "../rounds.ts";
import type { Db } from "../store/postgres/db.ts";
import { type Retention, RETENTIONS } from "./retention.ts";

const INTERVAL_MS = 5 * 60_000;

/** Most rows one statement deletes, so that locks are held briefly. */
const BATCH_ROWS = 500;

/** Most batches of one kind in a round; the next round continues. */
const MAX_BATCHES = 100;

/** Deletes rows that are no longer needed. Several servers may run it at once: each row is deleted once. */
export interface Housekeeping {
  /** Deletes what is due and returns the number of rows by kind; the failure of one kind does not stop the others. */
  run(): Promise<Readonly<Record<Retention["name"], number>>>;
  /** Starts running at intervals, the first time after one interval. */
  start(): void;
  /** Stops and waits for the round under way. */
  stop(): Promise<void>;
}

export function createHousekeeping(deps: {
  readonly db: Db;
  readonly clock: Clock;
  /** Called when a kind could not be deleted; the next round tries again. */
  readonly onFailure: (error: unknown) => void;
  readonly batchRows?: number;
  readonly intervalMs?: number;
}): Housekeeping {
  const { db, clock, onFailure, batchRows = BATCH_ROWS, intervalMs = INTERVAL_MS } = deps;
  async function remove({ keptMs, removeBatch }: Retention): Promise<number> {
    const before = clock.now() - keptMs;
    let removed = 0;
    for (let batch = 0; batch < MAX_BATCHES && !rounds.isStopped(); batch += 1) {
      const count = await removeBatch(db, before, batchRows);
      removed += count;
      if (count < batchRows) break;
    }
    return removed;
  }

  async function run() {
    const removed = Object.fromEntries(RETENTIONS.map(({ name }) => [name, 0])) as Record<
      Retention["name"],
      number
    >;
    for (const retention of RETENTIONS) {
      try {
        removed[retention.name] = await remove(retention);
      } catch (error) {
        onFailure(error);
      }
    }
    return removed;
  }

  const rounds = createRounds({ round: run, pauseMs: intervalMs, onFailure });
  return { run, start: rounds.start, stop: rounds.stop };
}
