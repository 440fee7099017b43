import type { QueryClient } from "@tanstack/react-query";

type Key = readonly string[];

/** Least time between two rounds of asking again: one act of the server tells of itself in several notices. */
export const ROUND_GAP_MS = 500;

/** Queries that became stale, asked again in rounds: each once, however many notices named it. */
export interface StaleQueries {
  /** Asks at once, or with the next round when one has just been. */
  mark(keys: readonly Key[]): void;
  /** Forgets what waits for the next round. */
  stop(): void;
}

const isWithin = (key: Key, wider: Key): boolean => wider.every((part, at) => key[at] === part);

export function createStaleQueries(
  queryClient: Pick<QueryClient, "invalidateQueries">,
): StaleQueries {
  let waiting: readonly Key[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  function round(): void {
    const keys = waiting;
    waiting = [];
    timer = keys.length === 0 ? undefined : setTimeout(round, ROUND_GAP_MS);
    for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey });
  }

  return {
    mark(keys) {
      for (const key of keys) {
        if (waiting.some((wider) => isWithin(key, wider))) continue;
        waiting = [...waiting.filter((narrower) => !isWithin(narrower, key)), key];
      }
      if (timer === undefined) round();
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
      waiting = [];
    },
  };
}
