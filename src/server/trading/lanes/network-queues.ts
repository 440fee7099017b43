import type { Clock } from "../../../domain/clock.ts";
import type { OwnerAddress } from "../../../domain/ids.ts";
import type { Network } from "../../../domain/network.ts";

/** Facts that decide when an agent's lane runs. */
export interface LaneRank {
  readonly network: Network;
  readonly owner: OwnerAddress;
  /** Whether the lane has something to close; entries have places of their own, so that none delays a closing. */
  readonly isExit: boolean;
  /** Whether its order went on at its venue; entries that are still to be placed have other places and do not delay it. */
  readonly isSent?: boolean;
}

/**
 * What has to do on the network that ids of a queue let pass: exits pass entries, and so do waiting orders at their venue, as
 * waiting entries pass these.
 */
export type Passing = "exits" | "others" | null;

/** How long orders at their venue, where each lives 45 seconds, let entries pass, in milliseconds. */
const LETS_PASS_MS = 10_000;

/** The waiting and running ids of one network's exits, entries, or orders at their venue. */
interface Queue<Id> {
  readonly rank: LaneRank;
  /** When each id came, by owner; owners take turns in the order of this map, because one that had its turn goes to the end. */
  readonly waiting: Map<string, Map<Id, number>>;
  /** Number of running ids by owner. */
  readonly running: Map<string, number>;
  taken: number;
}

const keyOf = ({ network, isExit, isSent }: LaneRank): string =>
  `${network} ${isExit ? "exits" : isSent === true ? "sent" : "entries"}`;

/** Returns the next id that does not run yet, of the waiting owner with the fewest running ids. */
function nextOf<Id>(queue: Queue<Id>, running: ReadonlyMap<Id, unknown>): Id | undefined {
  let chosen: Id | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const [owner, ids] of queue.waiting) {
    const count = queue.running.get(owner) ?? 0;
    if (count >= fewest) continue;
    const id = [...ids.keys()].find((each) => !running.has(each));
    if (id === undefined) continue;
    chosen = id;
    fewest = count;
  }
  return chosen;
}

/** Returns whether an id has waited since then. */
const hasWaited = <Id>({ waiting }: Queue<Id>, sinceMs: number): boolean =>
  [...waiting.values()].some((ids) => [...ids.values()].some((cameAtMs) => cameAtMs <= sinceMs));

const emptyQueue = <Id>(rank: LaneRank): Queue<Id> => ({
  rank,
  waiting: new Map(),
  running: new Map(),
  taken: 0,
});

/**
 * Creates work queues of lanes, three per network: a network that hangs does not delay the others, nor an entry an exit or an
 * order that is already at its venue. They run a limited number of ids per network and kind concurrently, and never one id twice at a time.
 *
 * A free place goes to the waiting owner with the fewest running ids, in turn, so that no owner starves another.
 */
export function createNetworkQueues<Id>(
  /** Number of ids of a queue that run at once beside what passes them. */
  placesOf: (rank: LaneRank, passing: Passing) => number,
  run: (id: Id, rank: LaneRank) => Promise<void>,
  clock: Clock,
) {
  const running = new Map<Id, Promise<void>>();
  const ranks = new Map<Id, LaneRank>();
  const queues = new Map<string, Queue<Id>>();
  let isStopped = false;

  function queueOf(rank: LaneRank): Queue<Id> {
    const key = keyOf(rank);
    const queue = queues.get(key) ?? emptyQueue(rank);
    queues.set(key, queue);
    return queue;
  }

  /** Removes an id from the queue it waits in. */
  function withdraw(id: Id, rank: LaneRank): void {
    const { waiting } = queueOf(rank);
    const ids = waiting.get(rank.owner);
    ids?.delete(id);
    if (ids?.size === 0) waiting.delete(rank.owner);
    ranks.delete(id);
  }

  function passingOf(queue: Queue<Id>): Passing {
    const { rank } = queue;
    if (rank.isExit) return null;
    const isSent = rank.isSent === true;
    if (!isSent && (queues.get(keyOf({ ...rank, isExit: true }))?.taken ?? 0) > 0) return "exits";
    const others = queues.get(keyOf({ ...rank, isSent: !isSent }));
    if ((others?.waiting.size ?? 0) === 0) return null;
    return isSent && hasWaited(queue, clock.now() - LETS_PASS_MS) ? null : "others";
  }

  function begin(queue: Queue<Id>): void {
    for (;;) {
      const isFull = queue.taken >= placesOf(queue.rank, passingOf(queue));
      const id = isStopped || isFull ? undefined : nextOf(queue, running);
      const rank = id === undefined ? undefined : ranks.get(id);
      if (id === undefined || rank === undefined) return;
      start(queue, id, rank);
    }
  }

  function start(queue: Queue<Id>, id: Id, rank: LaneRank): void {
    const { owner } = rank;
    withdraw(id, rank);
    const others = queue.waiting.get(owner);
    if (others !== undefined) {
      queue.waiting.delete(owner);
      queue.waiting.set(owner, others);
    }
    queue.taken += 1;
    queue.running.set(owner, (queue.running.get(owner) ?? 0) + 1);
    const ended = run(id, rank).finally(() => {
      running.delete(id);
      queue.taken -= 1;
      const left = (queue.running.get(owner) ?? 1) - 1;
      if (left === 0) queue.running.delete(owner);
      else queue.running.set(owner, left);
      // Any queue may hold the id that has just ended
      for (const each of queues.values()) begin(each);
    });
    running.set(id, ended);
  }

  return {
    /** Queues the id for one more run, unless it is already waiting for one; a waiting entry may become more urgent. */
    add(id: Id, given: LaneRank) {
      const before = ranks.get(id);
      const same = before?.network === given.network ? before : given;
      const isSent = given.isSent === true || same.isSent === true;
      const rank = { ...given, isExit: given.isExit || same.isExit, isSent };
      if (before !== undefined) {
        if (keyOf(before) === keyOf(rank)) return;
        withdraw(id, before);
      }
      const queue = queueOf(rank);
      ranks.set(id, rank);
      const ids = queue.waiting.get(rank.owner) ?? new Map();
      queue.waiting.set(rank.owner, ids.set(id, clock.now()));
      begin(queue);
    },
    isRunning: (id: Id) => running.has(id),
    /** Starts no further runs and resolves when none is in progress. */
    async stop() {
      isStopped = true;
      await Promise.all(running.values());
    },
  };
}
