import type { Network } from "../domain/network.ts";
import { type Chain, ChainUnavailableError } from "./chain.ts";
import { chainOf, handling } from "./chain-links.ts";
import { PAUSE_MS, notBefore } from "./cross-checked-accounts.ts";
import type { PooledNode } from "./node-pool.ts";
import type { CallClass } from "./request-budget.ts";

/** One node's answer. `reject` records it as the node's fault. */
export interface Testimony<T> {
  readonly value: T;
  reject(): void;
}

/** The nodes of a network, asked one by one where an answer is doubted. */
export interface Witnesses {
  /** Number of configured nodes. */
  readonly count: number;
  /**
   * Returns the answers of all nodes that have reached the slot; those that have not, or do not answer, are asked once
   * more a moment later.
   */
  askEach<T>(slot: bigint, work: (node: Chain) => Promise<T>): Promise<readonly Testimony<T>[]>;
}

/**
 * Creates the witnesses of a network for calls of one purpose, with links in front of each node. Nodes that pause after
 * a failure are asked only when all do.
 */
export function createWitnesses(
  network: Network,
  nodes: readonly PooledNode[],
  options: {
    readonly callClass: CallClass;
    sleep(ms: number): Promise<unknown>;
  },
): Witnesses {
  const { callClass, sleep } = options;
  return {
    count: nodes.length,
    async askEach(slot, work) {
      const since = handling({ accounts: (call, next) => next(notBefore(slot, call)) });
      const askOne = async ({ ask, record }: PooledNode) => {
        try {
          const value = await work(chainOf(network, since(ask), callClass));
          return { value, reject: () => record.failed("wrong_answer") };
        } catch (error) {
          if (!(error instanceof ChainUnavailableError)) throw error;
          if (error.trouble !== undefined && error.trouble !== "behind")
            record.failed(error.trouble);
          return null;
        }
      };
      const awake = nodes.filter(({ record }) => !record.isResting());
      const asked = awake.length === 0 ? nodes : awake;
      const first = await Promise.all(asked.map(askOne));
      if (!first.includes(null)) return first.filter((answer) => answer !== null);
      await sleep(PAUSE_MS);
      const both = await Promise.all(asked.map(async (node, at) => first[at] ?? askOne(node)));
      return both.filter((answer) => answer !== null);
    },
  };
}
