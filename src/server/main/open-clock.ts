import type { Logger } from "pino";
import { type ClockDifference, createClockDifference } from "../clock/clock-difference.ts";
import { createSteadyClock, type SteadyClock } from "../clock/steady-clock.ts";
import type { Db } from "../store/postgres/db.ts";
import { readTime } from "../store/postgres/installation.ts";

/** The clock of a process, and how far its machine's own is from it. */
export interface OpenClock {
  readonly clock: SteadyClock;
  readonly difference: ClockDifference;
}

/** Opens a clock that follows the database's clock. */
export async function openClock(db: Db, logger: Logger): Promise<OpenClock> {
  const difference = createClockDifference((seconds) =>
    logger.warn(
      { machineAheadSeconds: seconds },
      "this machine's clock differs from the database's, by which everything goes; docs/operating.md, Clocks",
    ),
  );
  const clock = createSteadyClock({
    async read(atLeastMs) {
      const reading = await readTime(db, atLeastMs);
      difference.note(Date.now(), reading.shownMs);
      return reading;
    },
    monotonicMs: () => performance.now(),
    onBehind: (behindMs) =>
      logger.error(
        { behindSeconds: Math.round(behindMs / 1_000) },
        "the database's clock is behind the time it showed before: going by the later one; docs/operating.md, Clocks",
      ),
  });
  await clock.sync();
  clock.start();
  return { clock, difference };
}
