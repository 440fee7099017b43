import type { QueryClient } from "@tanstack/react-query";

type Key = readonly string[];

/** Minimum time between two refetch rounds in milliseconds; one server action can send several notices. */
export const ROUND_GAP_MS = 500;

/** Batches refetches of stale queries: each is refetched once per round, however many notices named it. */
export interface StaleQueries {
  /** Refetches at once, or in the next round when one has just run. */
  mark(keys: readonly Key[]): void;
  /** Discards the queries that wait for the next round. */
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
