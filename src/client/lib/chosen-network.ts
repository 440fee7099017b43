import { createStore } from "zustand/vanilla";
import { isNetwork, type Network } from "../../domain/network.ts";
import { storedNetwork } from "./stored.ts";

const read = (): Network | null => {
  const stored = storedNetwork.read();
  return stored !== null && isNetwork(stored) ? stored : null;
};

/** Network that new agents are made on in this browser; null before it was chosen. */
export const chosenNetwork = createStore<{ readonly network: Network | null }>(() => ({
  network: read(),
}));

export function chooseNetwork(network: Network): void {
  storedNetwork.write(network);
  chosenNetwork.setState({ network });
}
