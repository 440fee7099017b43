import type { Network } from "../../domain/network.ts";
import type { Asker, RequestBudget } from "../../solana/request-budget.ts";

/** Requests that a process sent to the nodes of each network, which another process counts as spent. */
export type AskedNodes = Readonly<Partial<Record<Network, number>>>;

/** Message with which a process tells what it asked; the server's main process passes it on to trading. */
export interface AskedMessage {
  readonly asked: AskedNodes;
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

export const isAskedMessage = (message: unknown): message is AskedMessage =>
  isObject(message) && "asked" in message && isObject(message.asked);

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

/** Pause in milliseconds in which requests are counted before another process is told of them. */
export const TELL_MS = 50;

/** Returns what counts requests and tells of them together, a moment later. */
export function tellAsked(tell: (message: AskedMessage) => void): (network: Network) => void {
  const asked = countAsked();
  let timer: NodeJS.Timeout | undefined;
  return (network) => {
    asked.add(network);
    timer ??= setTimeout(() => {
      timer = undefined;
      tell({ asked: asked.take() });
    }, TELL_MS);
  };
}

/** Counts as spent what another process says it asked. Pages' process may say anything: only a number above 0 counts. */
export function spendAsked(
  networks: Iterable<readonly [Network, { readonly spent?: RequestBudget["spent"] }]>,
  asked: AskedNodes,
  by: Asker,
): void {
  for (const [network, { spent }] of networks) {
    const requests: unknown = asked[network];
    if (typeof requests === "number" && requests > 0) spent?.(requests, by);
  }
}
