import type { Network } from "../../../domain/network.ts";

/** Work that waits for its turn, apart for each network: however much of one hangs, the others go on. */
export interface NetworkQueues {
  /** Runs it once more after now, unless that is still ahead of it. */
  add(network: Network, id: string): void;
  isRunning(id: string): boolean;
  /** Begins nothing more and resolves when nothing runs any more. */
  stop(): Promise<void>;
}

/** Runs so many of each network at once, in the order they came, and never one id twice at a time. */
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
