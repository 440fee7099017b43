import type { Network } from "../../domain/network.ts";

/** Requests that a process sent to the nodes of each network, which another process counts as spent. */
export type AskedNodes = Readonly<Partial<Record<Network, number>>>;

/** Message with which a process tells what it asked; the server's main process passes it on to trading. */
export interface AskedMessage {
  readonly asked: AskedNodes;
}

export const isAskedMessage = (message: unknown): message is AskedMessage =>
  typeof message === "object" && message !== null && "asked" in message;

/** Counts requests until they are told. */
export function countAsked() {
  let asked: Partial<Record<Network, number>> = {};
  return {
    add(network: Network): void {
      asked[network] = (asked[network] ?? 0) + 1;
    },
    /** Returns what was counted since the last time. */
    take(): AskedNodes {
      const taken = asked;
      asked = {};
      return taken;
    },
  };
}
