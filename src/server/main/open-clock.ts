import type { Logger } from "pino";
import { createClockDifference } from "../clock/clock-difference.ts";
import { createSteadyClock } from "../clock/steady-clock.ts";
import type { Db } from "../store/postgres/db.ts";
import { readTime } from "../store/postgres/installation.ts";

/** Opens the clock of a process, which follows the database's, and returns how far the machine's own is from it too. */
export async function openClock(db: Db, logger: Logger) {
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
