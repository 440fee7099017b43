import type { Logger } from "pino";
import { createSteadyClock, type SteadyClock } from "../steady-clock.ts";
import type { Db } from "../store/postgres/db.ts";
import { readTime } from "../store/postgres/installation.ts";

/** Opens a clock that follows the database's clock. */
export async function openClock(db: Db, logger: Logger): Promise<SteadyClock> {
  const clock = createSteadyClock({
    read: (atLeastMs) => readTime(db, atLeastMs),
    monotonicMs: () => performance.now(),
    onBehind: (behindMs) =>
      logger.error(
        { behindSeconds: Math.round(behindMs / 1_000) },
        "the database's clock is behind the time it showed before: going by the later one; docs/operating.md, Clocks",
      ),
  });
  await clock.sync();
  clock.start();
  return clock;
}
