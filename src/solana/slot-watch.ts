import type { Clock } from "../domain/clock.ts";
import { BLOCKHASH_LIFE_BLOCKS } from "./blockhash-life.ts";
import { ChainUnavailableError, type Progress } from "./chain.ts";
import { type Ask, type Call, handling, type Link } from "./chain-links.ts";

/** A slot that a node told, and when. */
interface Claim {
  readonly slot: bigint;
  readonly atMs: number;
  readonly node: Ask;
}

/** What the nodes of one network say of its progress. */
export interface NetworkProgress {
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
export const unknownProgress = (clock: Clock, nodeCount: number): NetworkProgress => ({
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
    if (claim.slot + TOLERATED_SLOTS < floor.slot) throw behind();
    if (claim.slot <= floor.slot || (await follows(floor, claim))) {
      const { unconfirmed } = network;
      const isRetracted = unconfirmed?.node === claim.node;
      if (isRetracted || (unconfirmed?.slot ?? 0n) > floor.slot + LARGEST_LAG) {
        network.unconfirmed = null;
      }
      // Others may have moved it while the slot duration was asked
      if (claim.slot >= (network.floor?.slot ?? 0n)) network.floor = claim;
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
export function currentSlots(network: NetworkProgress): Link {
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
