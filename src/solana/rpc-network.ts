import type { Address } from "@solana/kit";
import type { Clock } from "../domain/clock.ts";
import type { Network } from "../domain/network.ts";
import type { NodeTrouble } from "../domain/node-trouble.ts";
import { batchedReads } from "./batched-reads.ts";
import { cachedFigures } from "./cached-figures.ts";
import { ACCOUNTS_PER_REQUEST, type Chain, ChainUnavailableError } from "./chain.ts";
import { askOf, chainOf, handling, type Link, through, withinGroups } from "./chain-links.ts";
import {
  createAccountMemory,
  crossCheckedAccounts,
  forgetAccounts,
} from "./cross-checked-accounts.ts";
import { monotonicReads } from "./monotonic-reads.ts";
import { createNodePool, type NodePool, type PooledNode } from "./node-pool.ts";
import { createNodeRecord } from "./node-record.ts";
import type { CallClass, RequestBudget } from "./request-budget.ts";
import { createRpcChain } from "./rpc-chain.ts";
import { createNodeTransport, type Post } from "./rpc-transport.ts";
import { currentSlots, unknownProgress } from "./slot-watch.ts";
import { timeLimit } from "./time-limit.ts";
import { createWitnesses, type Witnesses } from "./witnesses.ts";

/** Genesis hashes of the public clusters, which identify the cluster behind an RPC address. */
export const GENESIS_HASHES: Readonly<Record<Exclude<Network, "practice">, string>> = {
  devnet: "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG",
  mainnet: "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d",
};

/**
 * Longest time in milliseconds of a call that a person waits for. The other classes have none: what trades keeps asking
 * until a node answers.
 */
const LIMITS_MS = { owner: 12_000, screen: 6_000 };

/**
 * Lifetime of the reconciler's cached reads in milliseconds: it reads one agent's accounts several times in a round.
 */
const RECONCILE_CACHED_MS = 1_000;

export interface RpcNetworkOptions {
  /** Expected `genesisHash` of every node of the network. */
  readonly genesisHash: string;
  readonly clock: Clock;
  readonly post: Post;
  sleep(ms: number): Promise<unknown>;
  /** Called with each new fault of a node, and with `null` when it ends. */
  readonly onTrouble?: (node: string, trouble: NodeTrouble | null) => void;
  /** No call is answered before this check has passed once. */
  readonly check?: (chain: Chain) => Promise<void>;
  /** Ranks calls by class within one budget; absent where one purpose has the nodes for itself. */
  readonly sharing?: {
    readonly budget: RequestBudget;
    /** Resolves after all reads of the current tick have been requested. */
    readonly endOfTick: () => Promise<void>;
    readonly wait: (ms: number, signal: AbortSignal) => Promise<unknown>;
  };
}

/** A network as calls of one purpose reach it. */
interface NetworkView {
  readonly chain: Chain;
  readonly witnesses: Witnesses;
}

/** A network's nodes as one chain. */
export interface RpcNetwork extends NetworkView, Pick<NodePool, "nodes"> {
  /** Returns the network with its calls made for another purpose. */
  forCalls(callClass: CallClass): NetworkView;
  /** Accepts missing accounts that a landed transaction is known to have closed. */
  forgetAccounts(addresses: readonly Address[]): void;
}

/** Opens the nodes of one network as one chain that cross-checks their answers. */
export function openRpcNetwork(
  network: Network,
  urls: readonly string[],
  options: RpcNetworkOptions,
): RpcNetwork {
  const { check, clock, genesisHash, onTrouble, post, sharing, sleep } = options;
  const progress = unknownProgress(clock, urls.length);
  const memory = createAccountMemory();

  const requireGenesis = async (node: Chain): Promise<void> => {
    if ((await node.genesisHash()) === genesisHash) return;
    throw new ChainUnavailableError("The node serves another chain.", { trouble: "wrong_chain" });
  };
  // The same address may later serve another node
  const isUnreachable = (error: unknown) =>
    error instanceof ChainUnavailableError && error.trouble === "unreachable";

  const nodes = urls.map((url, at): PooledNode => {
    const name = `Node ${at + 1}`;
    return {
      record: createNodeRecord(name, clock, (trouble) => onTrouble?.(name, trouble)),
      ask: through(
        [currentSlots(progress), checkedFirst(network, requireGenesis, isUnreachable)],
        askOf(createRpcChain(network, createNodeTransport(url, post))),
      ),
    };
  });
  const pool = createNodePool(
    nodes.map((node) => {
      const others = nodes.filter((other) => other !== node);
      return { ...node, ask: crossCheckedAccounts({ others, memory, sleep })(node.ask) };
    }),
    sleep,
  );

  const budgeted = sharing === undefined ? [] : [withinGroups(withinBudget(sharing.budget))];
  const shared =
    sharing === undefined
      ? []
      : [
          timeLimit(network, LIMITS_MS, sharing.wait),
          batchedReads(sharing.endOfTick, { class: "reconcile", ms: RECONCILE_CACHED_MS, clock }),
          withinGroups(cachedFigures(clock)),
          ...budgeted,
        ];
  const ask = through(
    [
      ...shared,
      ...(check === undefined ? [] : [checkedFirst(network, check)]),
      withinGroups(monotonicReads()),
    ],
    pool.ask,
  );

  const forCalls = (callClass: CallClass): NetworkView => ({
    chain: chainOf(network, ask, callClass),
    witnesses: createWitnesses(network, nodes, { callClass, links: budgeted, sleep }),
  });
  return {
    ...forCalls("owner"),
    forCalls,
    nodes: pool.nodes,
    forgetAccounts: (addresses) => forgetAccounts(memory, addresses),
  };
}

/** Returns a link that answers nothing before a check has passed, and checks again after an error that `reopens` it. */
function checkedFirst(
  network: Network,
  check: (chain: Chain) => Promise<void>,
  reopens: (error: unknown) => boolean = () => false,
): Link {
  let checked: Promise<void> | undefined;
  return (next) => async (call) => {
    checked ??= check(chainOf(network, next, call.class)).catch((error: unknown) => {
      checked = undefined;
      throw error;
    });
    await checked;
    return next(call).catch((error: unknown) => {
      if (reopens(error)) checked = undefined;
      throw error;
    });
  };
}

/** Returns a link whose calls wait until the budget allows their requests. */
const withinBudget =
  (budget: RequestBudget): Link =>
  (next) =>
    handling({
      async accounts(call) {
        const requests = Math.ceil(call.input[0].length / ACCOUNTS_PER_REQUEST);
        await budget.take(call.class, Math.max(1, requests));
        return next(call);
      },
    })(async (call) => {
      await budget.take(call.class, 1);
      return next(call);
    });
