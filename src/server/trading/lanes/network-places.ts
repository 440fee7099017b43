import type { Network } from "../../../domain/network.ts";

/** Lets so many at once work on each network; the others wait in the order they came. */
export function createPlaces(perNetwork: number): (network: Network) => Promise<() => void> {
  const taken = new Map<Network, number>();
  const waiting = new Map<Network, (() => void)[]>();

  const give = (network: Network): (() => void) => {
    let isGivenBack = false;
    return () => {
      if (isGivenBack) return;
      isGivenBack = true;
      const next = waiting.get(network)?.shift();
      if (next === undefined) taken.set(network, (taken.get(network) ?? 1) - 1);
      else next();
    };
  };

  return async (network) => {
    const count = taken.get(network) ?? 0;
    if (count < perNetwork) {
      taken.set(network, count + 1);
      return give(network);
    }
    await new Promise<void>((resolve) => {
      const queue = waiting.get(network) ?? [];
      waiting.set(network, [...queue, resolve]);
    });
    return give(network);
  };
}
