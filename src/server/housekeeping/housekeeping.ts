import type { Clock } from "../../domain/clock.ts";
import { createRounds } from "../rounds.ts";
import type { Db } from "../store/postgres/db.ts";
import { type Retention, RETENTIONS } from "./retention.ts";

const INTERVAL_MS = 5 * 60_000;

/** Rows a statement removes at most, so that none holds locks for long. */
const BATCH_ROWS = 500;

/** Batches of one kind a round removes at most; the next round goes on. */
const MAX_BATCHES = 100;

/** Forgets what is no longer of use. Several servers may do so at once: each row goes once. */
export interface Housekeeping {
  /** Removes what is due and returns how many rows of each kind went; one kind's failure leaves the others to go on. */
  run(): Promise<Readonly<Record<Retention["name"], number>>>;
  /** Begins to run at intervals, the first time after one of them. */
  start(): void;
  /** Ends running and waits for the round under way. */
  stop(): Promise<void>;
}

export function createHousekeeping(deps: {
  readonly db: Db;
  readonly clock: Clock;
  /** Hears what could not be removed; the next round tries again. */
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
