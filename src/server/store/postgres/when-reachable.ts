import { isDatabaseUnavailable } from "./unavailable.ts";

const PATIENCE_MS = 60_000;
const PAUSE_MS = 500;

/**
 * Works on a database that may still be starting: tries again for a minute, and says once what it waits for. Errors that
 * waiting cannot mend, such as a wrong password, are thrown at once.
 */
export async function whenReachable<T>(
  work: () => Promise<T>,
  deps: {
    readonly monotonicMs: () => number;
    readonly sleep: (ms: number) => Promise<unknown>;
    readonly onWait: (error: unknown) => void;
  },
): Promise<T> {
  const untilMs = deps.monotonicMs() + PATIENCE_MS;
  for (let tries = 0; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || deps.monotonicMs() + PAUSE_MS > untilMs) throw error;
      if (tries === 0) deps.onWait(error);
      await deps.sleep(PAUSE_MS);
    }
  }
}
