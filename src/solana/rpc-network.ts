import type { Address } from "@solana/kit";
import type { Clock } from "../domain/clock.ts";
import type { Network, RealNetwork } from "../domain/network.ts";
import type { NodeTrouble } from "../domain/agent-health.ts";
import { batchedReads, batchedStatuses, type Gathering } from "./batched-reads.ts";
import { cachedFigures, sharedAnswers } from "./cached-figures.ts";
import {
  ACCOUNTS_PER_REQUEST,
  type Chain,
  ChainUnavailableError,
  type Progress,
  TransactionRefusedError,
  UnreadableTransactionError,
} from "./chain.ts";
import {
  type Answer,
  askOf,
  chainOf,
  handling,
  type Link,
  through,
  withinGroups,
  type Ask,
  type Call,
  timeLimit,
} from "./chain-links.ts";
import {
  createAccountMemory,
  crossCheckedAccounts,
  forgetAccounts,
  monotonicReads,
} from "./cross-checked-accounts.ts";
import { createNodePool, type NodePool, type PooledNode } from "./node-pool.ts";
import { createNodeRecord } from "./node-record.ts";
import type { CallClass, RequestBudget } from "./request-budget.ts";
import { createNodeTransport, type Post, TooManyAccountsError } from "./rpc-ask.ts";
import { createRpcChain } from "./rpc-chain.ts";
import { createWitnesses, type Witnesses } from "./witnesses.ts";
import { BLOCKHASH_LIFE_BLOCKS } from "./settle-signature.ts";

/** A slot that a node told, and when. */
interface Claim {
  readonly slot: bigint;
  readonly atMs: number;
  readonly node: Ask;
}

/** What the nodes of one network say of its progress. */
interface NetworkProgress {
  readonly clock: Clock;
  /** Number of the network's nodes. */
  readonly nodeCount: number;
  /** The furthest slot that a second answer confirmed; null before that. */
  floor: Claim | null;
  /** The last claim that the floor contradicts, or the first of all. */
  unconfirmed: Claim | null;
  /** Slot and height that an answer told last. */
  height: Progress | null;
}

/** Returns the progress of a network of which nothing is known. */
const unknownProgress = (clock: Clock, nodeCount: number): NetworkProgress => ({
  clock,
  nodeCount,
  floor: null,
  unconfirmed: null,
  height: null,
});

/** Number of slots a node may lag behind the others: half a minute of short slots. */
const TOLERATED_SLOTS = 100n;

/** Lead over the floor up to which a node may be right and the others lag, in slots: minutes. */
const LARGEST_LAG = 1_500n;

/** How far a block's time may lie ahead of our clock, in milliseconds: validators' clocks differ. */
const TOLERATED_CLOCK_MS = 3_600_000;

/** Time without a later slot after which a node stands still, in milliseconds: a blockhash of then is no good any more. */
const STUCK_MS = 60_000;

/** Slots may be this many times as fast as the nodes measured them over the last minutes. */
const FASTER = 2;

/** Time after which a node alone confirms its own claim by repeating it, in milliseconds: its block is final then. */
const ALONE_MS = 30_000;

const behind = () =>
  new ChainUnavailableError("The node is behind where it or another one was.", {
    trouble: "behind",
  });

const ahead = () =>
  new ChainUnavailableError("The node is further than time allows.", { trouble: "wrong_answer" });

/** Returns whether a slot follows from a claim in the time since. */
async function follows({ slot, atMs, node }: Claim, later: Claim): Promise<boolean> {
  if (later.slot + TOLERATED_SLOTS < slot) return false;
  const beyond = later.slot - slot - TOLERATED_SLOTS;
  if (beyond <= 0n) return true;
  // The node of the earlier claim measures, where it can: a wrong answer should not vouch for itself
  for (const asked of [node, later.node]) {
    try {
      const slotMs = await asked({ method: "slotDurationMs", input: [], class: "exit" });
      return Number.parseInt(String(beyond), 10) * slotMs <= FASTER * (later.atMs - atMs);
    } catch (error) {
      if (!(error instanceof ChainUnavailableError)) throw error;
    }
  }
  return false;
}

/** Returns whether the later of two claims that agree confirms the earlier one. */
const confirms = (earlier: Claim, later: Claim, nodeCount: number): boolean =>
  (nodeCount > 1 && later.node !== earlier.node) || later.atMs - earlier.atMs >= ALONE_MS;

/**
 * Takes a node's claim. Throws `ChainUnavailableError` where the network was further already, or cannot be that far yet.
 *
 * One claim decides nothing: it moves the floor when it follows from it, and replaces it only when another node, or the
 * same one half a minute later, says the same. A claim far beyond the floor is dropped as soon as any node supports it.
 */
async function take(network: NetworkProgress, claim: Claim): Promise<void> {
  const { floor } = network;
  if (floor !== null) {
    const isStuck = claim.atMs - floor.atMs > STUCK_MS && claim.slot <= floor.slot;
    if (isStuck || claim.slot + TOLERATED_SLOTS < floor.slot) throw behind();
    if (claim.slot <= floor.slot || (await follows(floor, claim))) {
      const { unconfirmed } = network;
      const isRetracted = unconfirmed?.node === claim.node;
      if (isRetracted || (unconfirmed?.slot ?? 0n) > floor.slot + LARGEST_LAG) {
        network.unconfirmed = null;
      }
      // Others may have moved it while the slot duration was asked; a slot told again is as old as the first time
      if (claim.slot > (network.floor?.slot ?? 0n)) network.floor = claim;
      return;
    }
  }
  const { unconfirmed } = network;
  if (unconfirmed === null || !(await follows(unconfirmed, claim))) network.unconfirmed = claim;
  else if (confirms(unconfirmed, claim, network.nodeCount)) {
    network.floor = claim;
    network.unconfirmed = null;
    return;
  }
  if (floor !== null) throw ahead();
}

/**
 * Returns a link in front of a node whose answers are accepted only while it keeps up with the other nodes and never
 * goes back behind its own.
 *
 * This keeps figures fresh; proof of a transaction's outcome does not depend on it.
 */
function currentSlots(network: NetworkProgress): Link {
  let final: Progress | null = null;

  const claimOf = (slot: bigint, node: Ask): Claim => ({ slot, atMs: network.clock.now(), node });

  const pass = async <T extends { readonly slot: bigint }>(answer: T, node: Ask): Promise<T> => {
    await take(network, claimOf(answer.slot, node));
    return answer;
  };

  /** A height that was too large once must not outlast the answers that contradict it. */
  const passFinal = async (progress: Progress, node: Ask): Promise<Progress> => {
    const { floor } = network;
    const { slot, blockHeight } = progress;
    if (floor !== null && slot > floor.slot && !(await follows(floor, claimOf(slot, node)))) {
      throw ahead();
    }
    const before = final;
    final = progress;
    const furthest = floor ?? network.unconfirmed;
    const isFirst =
      furthest !== null && before !== null && before.slot > furthest.slot + TOLERATED_SLOTS;
    if (before === null || isFirst) return progress;
    if (slot < before.slot && blockHeight < before.blockHeight) {
      final = before;
      throw behind();
    }
    // A block is at most as much higher than an earlier one as its slot is later
    const higher = blockHeight - before.blockHeight;
    if (higher >= 0n && higher <= slot - before.slot) return progress;
    final = null;
    throw ahead();
  };

  /** Throws for a height that cannot be reached by that slot, and forgets what contradicts it. */
  const passHeight = (progress: Progress): void => {
    const known = network.height;
    network.height = progress;
    if (known === null) return;
    const slots = progress.slot > known.slot ? progress.slot - known.slot : 0n;
    if (progress.blockHeight - known.blockHeight <= slots + TOLERATED_SLOTS) return;
    network.height = null;
    throw ahead();
  };

  /** Has the node say how far the network is, before the first answer that is held against it. */
  const askProgress = async (call: Call, node: Ask): Promise<void> => {
    if (network.height !== null && (network.floor ?? network.unconfirmed) !== null) return;
    const progress = await node({ ...call, method: "progress", input: ["confirmed"] });
    passHeight(await pass(progress, node));
  };

  return handling({
    async transaction(call, node) {
      const outcome = await node(call);
      if (outcome === null) return null;
      await askProgress(call, node);
      const furthest = network.floor ?? network.unconfirmed;
      const { slot, blockTime } = outcome;
      const isFurther = furthest !== null && slot > furthest.slot;
      if (isFurther && !(await follows(furthest, claimOf(slot, node)))) throw ahead();
      const latest = network.clock.now() + TOLERATED_CLOCK_MS;
      if (blockTime !== null && blockTime * 1_000n > BigInt(latest)) throw ahead();
      return outcome;
    },
    accounts: async (call, node) => pass(await node(call), node),
    async latestBlockhash(call, node) {
      await askProgress(call, node);
      const latest = await pass(await node(call), node);
      const { slot, lastValidBlockHeight } = latest;
      passHeight({ slot, blockHeight: lastValidBlockHeight - BLOCKHASH_LIFE_BLOCKS });
      return latest;
    },
    signatureStatuses: async (call, node) => pass(await node(call), node),
    async progress(call, node) {
      const progress = await node(call);
      return call.input[0] === "finalized" ? passFinal(progress, node) : pass(progress, node);
    },
  });
}

/** Genesis hashes of the public clusters, which identify the cluster behind an RPC address. */
export const GENESIS_HASHES: Readonly<Record<RealNetwork, string>> = {
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
  /** Combines questions for the status of signatures alone, as `sharing` does; what exits ask waits for nothing. */
  readonly statuses?: Gathering;
  /** Combines what is asked at one time and ranks requests by class; absent where every call is a request of its own. */
  readonly sharing?: Gathering & {
    readonly budget: Pick<RequestBudget, "take" | "limited">;
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
  const { check, clock, genesisHash, onTrouble, post, sharing, sleep, statuses } = options;
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
        [
          inParts(),
          ...(statuses === undefined ? [] : [batchedStatuses(statuses)]),
          ...(sharing === undefined ? [] : sharedAtNode(clock, sharing)),
          currentSlots(progress),
          checkedFirst(network, requireGenesis, isUnreachable),
          readableAnswers,
        ],
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

  const shared =
    sharing === undefined
      ? []
      : [
          timeLimit(network, LIMITS_MS, sharing.wait),
          batchedReads(sharing, { class: "reconcile", ms: RECONCILE_CACHED_MS, clock }),
          withinGroups(cachedFigures(clock)),
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
    witnesses: createWitnesses(network, nodes, { callClass, sleep }),
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

/** Returns the links in front of one node by which calls share its requests, and wait until the budget allows those. */
const sharedAtNode = (
  clock: Clock,
  sharing: NonNullable<RpcNetworkOptions["sharing"]>,
): readonly Link[] => [
  batchedStatuses(sharing),
  sharedAnswers(clock),
  withinBudget(sharing.budget),
];

/** Returns a link whose calls wait until the budget allows their requests, and which tells it of a node that refuses them. */
function withinBudget(budget: Pick<RequestBudget, "take" | "limited">): Link {
  return (next) => async (call) => {
    await budget.take(call.class, 1);
    return next(call).catch((error: unknown) => {
      if (error instanceof ChainUnavailableError && error.trouble === "limited") budget.limited();
      throw error;
    });
  };
}

/** Returns a link that reads at most as many accounts at once as a node's plan takes, which its refusals tell. */
function inParts(): Link {
  let most = ACCOUNTS_PER_REQUEST;
  const read = async (call: Call<"accounts">, next: Ask): Promise<Answer<"accounts">> => {
    const [keys, options] = call.input;
    if (keys.length > most) {
      const first = await read({ ...call, input: [keys.slice(0, most), options] }, next);
      const rest = await read(
        { ...call, input: [keys.slice(first.accounts.length), options] },
        next,
      );
      const slot = first.slot < rest.slot ? first.slot : rest.slot;
      return { slot, accounts: [...first.accounts, ...rest.accounts] };
    }
    return next(call).catch((error: unknown) => {
      if (!(error instanceof TooManyAccountsError)) throw error;
      if (keys.length < 2) {
        // One alone is refused for something else than their number
        most = ACCOUNTS_PER_REQUEST;
        throw error;
      }
      most = Math.min(most, Math.ceil(keys.length / 2));
      return read(call, next);
    });
  };
  return handling({ accounts: read });
}

/** Has an answer that cannot be read, such as null, count as the node's fault instead of leaving as an error of our own. */
const readableAnswers: Link = (next) => (call) =>
  next(call).catch((error: unknown) => {
    const isTold =
      error instanceof ChainUnavailableError ||
      error instanceof TransactionRefusedError ||
      error instanceof UnreadableTransactionError;
    if (isTold) throw error;
    throw new ChainUnavailableError("The node's answer cannot be read.", {
      cause: error,
      trouble: "wrong_answer",
    });
  });
