import type { Network } from "../../../domain/network.ts";

/** One work queue per network: a network that hangs does not delay the others. */
export interface NetworkQueues {
  /** Queues the id for one more run, unless it is already waiting for one. */
  add(network: Network, id: string): void;
  isRunning(id: string): boolean;
  /** Starts no further runs and resolves when none is in progress. */
  stop(): Promise<void>;
}

/**
 * Creates queues that run a limited number of ids per network concurrently, in order of arrival, and never one id twice
 * at a time.
 */
export function createNetworkQueues(
  perNetwork: number,
  run: (id: string) => Promise<void>,
): NetworkQueues {
  const running = new Map<string, Promise<void>>();
  const places = new Map<Network, number>();
  const queues = new Map<Network, Set<string>>();
  let isStopped = false;

  const next = (network: Network): string | undefined => {
    for (const id of queues.get(network) ?? []) if (!running.has(id)) return id;
    return undefined;
  };

  function begin(network: Network): void {
    for (;;) {
      const taken = places.get(network) ?? 0;
      const id = isStopped || taken >= perNetwork ? undefined : next(network);
      if (id === undefined) return;
      queues.get(network)?.delete(id);
      places.set(network, taken + 1);
      running.set(
        id,
        run(id).finally(() => {
          running.delete(id);
          places.set(network, (places.get(network) ?? 1) - 1);
          for (const waiting of queues.keys()) begin(waiting);
        }),
      );
    }
  }

  return {
    add(network, id) {
      for (const [other, queue] of queues) if (other !== network) queue.delete(id);
      const queue = queues.get(network) ?? new Set();
      queues.set(network, queue.add(id));
      begin(network);
    },
    isRunning: (id) => running.has(id),
    async stop() {
      isStopped = true;
      await Promise.all(running.values());
    },
  };
}
