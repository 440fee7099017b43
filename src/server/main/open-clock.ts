import type { Logger } from "pino";
import type { ServerConfig } from "../config.ts";
import type { Store } from "./open-store.ts";
import { refuseRestored } from "../restore/database-identity.ts";
import { createSteadyClock, type SteadyClock } from "../steady-clock.ts";
import { readTime } from "../store/postgres/installation.ts";

/** Opens a clock that follows the database's clock, after verifying that this is the database last used. */
export async function openClock(
  store: Store,
  config: ServerConfig,
  logger: Logger,
): Promise<SteadyClock> {
  const { db } = store.main;
  const clock = createSteadyClock({
    read: (atLeastMs) => readTime(db, atLeastMs),
    monotonicMs: () => performance.now(),
    onBehind: (behindMs) =>
      logger.error(
        { behindSeconds: Math.round(behindMs / 1_000) },
        "the database's clock is behind the time it showed before: going by the later one; docs/operating.md, Clocks",
      ),
  });
  try {
    await refuseRestored(db, config);
    await clock.sync();
  } catch (error) {
    await store.close();
    throw error;
  }
  clock.start();
  return clock;
}
