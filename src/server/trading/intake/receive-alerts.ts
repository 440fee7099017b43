import type { AgentId } from "../../../domain/ids.ts";
import type { OpenDatabase } from "../../store/postgres/pool.ts";
import { isDatabaseUnavailable, lostRace } from "../../store/postgres/unavailable.ts";
import type { Delivery, DeliveryResult } from "./delivery.ts";
import {
  type BatchOutcome,
  type EvaluationTools,
  type TouchedAgent,
  type Evaluated,
  evaluateBatch,
  firingsOf,
} from "./evaluate-batch.ts";
import type { Db } from "../../store/postgres/db.ts";
import {
  addReplacedTokenAlerts,
  addUnreadableDeliveries,
  type ReplacedTokenAlerts,
  type UnreadableDeliveries,
} from "../../store/alerts/alerts.ts";
import { AppError } from "../../../contract/errors.ts";
import { trimRefusedEvents } from "../../store/alerts/alert-events.ts";
import {
  type KnownAgent,
  readAgents,
  transactAlerts,
} from "../../store/intake/alert-transaction.ts";
import { commitAlerts } from "../../store/intake/commit-alerts.ts";

/** Maximum time in the queue in milliseconds; a delivery that waited longer is withdrawn. */
const MAX_WAIT_MS = 1_000;

/** Response deadline in milliseconds: the sender gives up after three seconds and retries only after a 5xx. */
const ANSWER_WITHIN_MS = 1_500;

/** Number of refusals of one agent after which its oldest ones are deleted. */
const TRIM_EVERY = 100;

/** Deletes the oldest recorded refusals of an agent, once per `TRIM_EVERY` new ones. */
interface RefusalTrimmer {
  count(touched: TouchedAgent): void;
  /** Resolves when no deletion is in progress. */
  drain(): Promise<void>;
}

function createRefusalTrimmer(db: Db, onError: (error: unknown) => void): RefusalTrimmer {
  const refusals = new Map<AgentId, number>();
  let trimming: Promise<void> = Promise.resolve();
  return {
    count({ agentId, refusals: added }) {
      if (added === 0) return;
      const count = (refusals.get(agentId) ?? 0) + added;
      if (count < TRIM_EVERY) {
        refusals.set(agentId, count);
        return;
      }
      refusals.delete(agentId);
      trimming = trimming
        .then(() => trimRefusedEvents(db, agentId))
        .catch((error: unknown) => onError(error));
    },
    drain: () => trimming,
  };
}

/** Maximum number of deliveries per transaction. */
const MAX_BATCH = 128;

/** Maximum queue length; beyond it the oldest delivery is refused, because its sender gives up first. */
const MAX_WAITING = 5_000;

/** Deliveries that wait for a transaction, oldest first. */
interface DeliveryQueue {
  size(): number;
  /** Adds a delivery and returns its result. */
  add(delivery: Delivery): Promise<DeliveryResult>;
  /** Takes the next deliveries of the agents wanted; none when they are fewer than `least`. */
  take(isWanted: (agentId: AgentId) => boolean, least: number): readonly WaitingDelivery[];
}

function createDeliveryQueue(): DeliveryQueue {
  const queue = new Set<WaitingDelivery>();
  const withdraw = (waiting: WaitingDelivery) => queue.delete(waiting);
  return {
    size: () => queue.size,
    add(delivery) {
      const [oldest] = queue;
      if (queue.size >= MAX_WAITING && oldest !== undefined) {
        withdraw(oldest);
        oldest.reject(new AppError("unavailable"));
      }
      const waiting = createWaitingDelivery(delivery, withdraw);
      queue.add(waiting);
      return waiting.result;
    },
    take(isWanted, least) {
      const batch: WaitingDelivery[] = [];
      for (const waiting of queue) {
        if (isWanted(waiting.delivery.agentId)) batch.push(waiting);
        if (batch.length === MAX_BATCH) break;
      }
      if (batch.length < least) return [];
      for (const waiting of batch) queue.delete(waiting);
      return batch;
    },
  };
}

/** Shortest pause between two writes of counts, and agents counted meanwhile; further ones are not. */
const TALLY_PAUSE_MS = 1_000;
const MAX_TALLIED = 2_000;

/** Counts per agent in memory and writes at most once a second, so that a flood of deliveries causes few writes. */
function createTally<Count>(deps: {
  readonly merge: (before: Count, added: Count) => Count;
  readonly write: (counts: ReadonlyMap<AgentId, Count>) => Promise<void>;
  readonly onError: (error: unknown) => void;
}) {
  let waiting = new Map<AgentId, Count>();
  let timer: NodeJS.Timeout | undefined;
  let freeAt = 0;
  let writing: Promise<void> = Promise.resolve();
  /** Resolves when every added count is stored. */
  function drain(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    freeAt = performance.now() + TALLY_PAUSE_MS;
    const batch = waiting;
    waiting = new Map();
    if (batch.size > 0) writing = writing.then(() => deps.write(batch)).catch(deps.onError);
    return writing;
  }
  return {
    add(agentId: AgentId, added: Count): void {
      const before = waiting.get(agentId);
      if (before === undefined && waiting.size >= MAX_TALLIED) return;
      waiting.set(agentId, before === undefined ? added : deps.merge(before, added));
      timer ??= setTimeout(() => void drain(), Math.max(0, freeAt - performance.now()));
    },
    drain,
  };
}

/** Counts alerts that arrived with a replaced webhook token; their senders do not wait for the count. */
const createReplacedTally = ({ database, onStored, onError }: ReceiveAlertsDeps) =>
  createTally<ReplacedTokenAlerts & { readonly touched: TouchedAgent }>({
    merge: (before, added) => ({
      alerts: before.alerts + added.alerts,
      lastAtMs: Math.max(before.lastAtMs, added.lastAtMs),
      touched: added.touched,
    }),
    async write(counts) {
      await addReplacedTokenAlerts(database.db, counts);
      for (const { touched } of counts.values()) onStored(touched);
    },
    onError,
  });

/** Counts deliveries that could not be read, whoever sent them; the last one of an agent is shown. */
const createUnreadableTally = ({ database, onUnreadable, onError }: ReceiveAlertsDeps) =>
  createTally<UnreadableDeliveries>({
    merge: (before, added) => ({ ...added, deliveries: before.deliveries + added.deliveries }),
    async write(counts) {
      for (const agent of await addUnreadableDeliveries(database.db, counts)) onUnreadable?.(agent);
    },
    onError,
  });

/** Maximum number of concurrent transactions of cached agents: one commits while the next one fills. */
const MAX_CACHED_IN_FLIGHT = 2;

/** Minimum size of a second concurrent batch; smaller ones wait so that the fixed transaction cost is shared. */
const MIN_SECOND_BATCH = 6;

interface ReceiveAlertsDeps extends EvaluationTools {
  /** Its connections need short timeouts: the sender waits three seconds. */
  readonly database: Pick<OpenDatabase, "db" | "pool">;
  /** Called after the commit, and again when alerts with a replaced token were counted; must not throw. */
  readonly onStored: (touched: TouchedAgent) => void;
  /** Called when deliveries that could not be read were counted; absent where nobody is told. */
  readonly onUnreadable?: (agent: Pick<TouchedAgent, "agentId" | "owner">) => void;
  readonly onError: (error: unknown) => void;
}

/** Receives alerts. Resolves with the result once the delivery is stored durably and counted. */
export interface AlertReceiver {
  /** Rejects with `unavailable` in time for the sender to retry; a delivery that still waits then is never stored. */
  receive(delivery: Delivery): Promise<DeliveryResult>;
  /** Returns what a delivery would do now; nothing is stored. */
  preview(delivery: Delivery): Promise<DeliveryPreview>;
  /** Counts a delivery that could not be read. */
  noteUnreadable(agentId: AgentId, delivery: Omit<UnreadableDeliveries, "deliveries">): void;
  /** Resolves when every received delivery has its result. */
  drain(): Promise<void>;
}

/** What a delivery would do, with the signals of the rules that it would complete. */
interface DeliveryPreview {
  readonly result: DeliveryResult;
  readonly signals: readonly string[];
}

/**
 * Batches concurrent deliveries into one transaction.
 *
 * An agent is in at most one open batch, so its alerts are counted in the order they arrived.
 */
export function createAlertReceiver(deps: ReceiveAlertsDeps): AlertReceiver {
  const store = createAlertStore(deps);
  const refusals = createRefusalTrimmer(deps.database.db, deps.onError);
  const queue = createDeliveryQueue();
  const busyAgents = new Set<AgentId>();
  const openBatches = { cached: new Set<Promise<void>>(), others: new Set<Promise<void>>() };
  const replaced = createReplacedTally(deps);
  const unread = createUnreadableTally(deps);
  let isStartDue = false;

  /**
   * A batch is of cached agents only, or of others only: agents that have to be read, or do not exist, delay none that
   * is cached and cannot make its transaction fail.
   */
  function startBatches(): void {
    const { cached, others } = openBatches;
    const isReady = (agentId: AgentId, isCached: boolean) =>
      store.isCached(agentId) === isCached && !busyAgents.has(agentId);
    while (cached.size < MAX_CACHED_IN_FLIGHT) {
      const least = cached.size === 0 ? 1 : MIN_SECOND_BATCH;
      const batch = queue.take((agentId) => isReady(agentId, true), least);
      if (batch.length === 0) break;
      start(batch, cached);
    }
    if (others.size > 0) return;
    const batch = queue.take((agentId) => isReady(agentId, false), 1);
    if (batch.length > 0) start(batch, others);
  }

  function start(batch: readonly WaitingDelivery[], open: Set<Promise<void>>): void {
    const agentIds = new Set(batch.map((each) => each.delivery.agentId));
    for (const agentId of agentIds) busyAgents.add(agentId);
    const run = runBatch(batch).finally(() => {
      for (const agentId of agentIds) busyAgents.delete(agentId);
      open.delete(run);
      startBatches();
    });
    open.add(run);
  }

  async function runBatch(batch: readonly WaitingDelivery[]): Promise<void> {
    try {
      settle(batch, await store.store(batch.map(({ delivery }) => delivery)));
    } catch (error) {
      if (batch.length === 1 || isDatabaseUnavailable(error)) {
        if (!isDatabaseUnavailable(error)) deps.onError(error);
        for (const each of batch) each.reject(error);
        return;
      }
      // One delivery cannot be stored: retry each alone so that the others of the batch do not fail with it
      for (const each of batch) if (!each.isOver()) await runBatch([each]);
    }
  }

  function settle(batch: readonly WaitingDelivery[], outcome: BatchOutcome): void {
    for (const [index, each] of batch.entries()) {
      const result = outcome.results[index];
      if (result === undefined) each.reject(new Error("A delivery has no result"));
      else each.resolve(result);
    }
    for (const touched of outcome.touched) {
      deps.onStored(touched);
      refusals.count(touched);
      if (touched.replacedToken !== null) {
        replaced.add(touched.agentId, { ...touched.replacedToken, touched });
      }
    }
  }

  return {
    receive(delivery) {
      const result = queue.add(delivery);
      if (!isStartDue) {
        isStartDue = true;
        // Deferred so that all requests read in this turn of the event loop share the transaction
        setImmediate(() => {
          isStartDue = false;
          startBatches();
        });
      }
      return result;
    },
    preview: store.preview,
    noteUnreadable: (agentId, delivery) => unread.add(agentId, { ...delivery, deliveries: 1 }),
    async drain() {
      const { cached, others } = openBatches;
      while (queue.size() + cached.size + others.size > 0) {
        await Promise.all([...cached, ...others]);
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
      }
      await refusals.drain();
      await replaced.drain();
      await unread.drain();
    },
  };
}

/** A delivery that has no result yet. */
interface WaitingDelivery {
  readonly delivery: Delivery;
  /** Rejects with `unavailable` when the delivery was withdrawn or its transaction takes too long. */
  readonly result: Promise<DeliveryResult>;
  /** Whether it has a result, or its sender was asked to retry. */
  isOver(): boolean;
  resolve(result: DeliveryResult): void;
  reject(error: unknown): void;
}

/**
 * Creates a waiting delivery; `withdraw` removes it from the queue and returns whether it was still there.
 *
 * One that is in a transaction already can only be answered: when its commit succeeds, the retry is a duplicate. A
 * condition's firing has no deadline, because no sender waits for it.
 */
function createWaitingDelivery(
  delivery: Delivery,
  withdraw: (waiting: WaitingDelivery) => boolean,
): WaitingDelivery {
  let settle: Pick<WaitingDelivery, "resolve" | "reject"> | undefined;
  const result = new Promise<DeliveryResult>((resolve, reject) => {
    settle = { resolve, reject };
  });
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    isOver = true;
    clearTimeout(timer);
  };
  const waiting: WaitingDelivery = {
    delivery,
    result,
    isOver: () => isOver,
    resolve(known) {
      end();
      settle?.resolve(known);
    },
    reject(error) {
      end();
      settle?.reject(error);
    },
  };
  const refuse = () => waiting.reject(new AppError("unavailable"));
  if (delivery.content.kind !== "condition") {
    timer = setTimeout(() => {
      if (withdraw(waiting)) refuse();
      else timer = setTimeout(refuse, ANSWER_WITHIN_MS - MAX_WAIT_MS);
    }, MAX_WAIT_MS);
  }
  return waiting;
}

interface AlertStore {
  /** Evaluates one batch of deliveries and stores it durably in one transaction. */
  store(deliveries: readonly Delivery[]): Promise<BatchOutcome>;
  /** Evaluates a delivery as `store` would, and stores nothing. */
  preview(delivery: Delivery): Promise<DeliveryPreview>;
  /** Returns whether an agent's state is cached, so that it need not be read. */
  isCached(agentId: AgentId): boolean;
}

/** Dependencies for storing a batch: the database and the evaluation tools. */
interface AlertStoreDeps extends EvaluationTools {
  readonly database: Pick<OpenDatabase, "pool">;
}

/**
 * Creates the store. It decides deliveries on the cached agents when it can, else on agents read without locks, and
 * stores the decision where the agents are still the same; else it decides under the lock.
 */
function createAlertStore(deps: AlertStoreDeps): AlertStore {
  const { pool } = deps.database;
  const memory = createAlertMemory();

  /** Returns null, with nothing stored, when the agents have changed since, or a firing was recorded before. */
  async function storeOn(
    known: ReadonlyMap<AgentId, KnownAgent>,
    deliveries: readonly Delivery[],
  ): Promise<Evaluated | null> {
    const evaluated = evaluateBatch(known, deliveries, deps);
    if (known.size === 0) return evaluated;
    const versions = [...known].map(([agentId, { version }]) => {
      const isCounted = evaluated.after.get(agentId)?.version !== version;
      return { agentId, version, isCounted };
    });
    try {
      const isCommitted = await commitAlerts(pool, versions, evaluated.writes);
      return isCommitted ? evaluated : null;
    } catch (error) {
      if (lostRace(error) === "taken") return null;
      throw error;
    }
  }

  function storeLocked(
    agentIds: readonly AgentId[],
    deliveries: readonly Delivery[],
  ): Promise<Evaluated> {
    const wanted = { agentIds, eventIds: firingsOf(deliveries) };
    return transactAlerts(pool, wanted, (known) => evaluateBatch(known, deliveries, deps));
  }

  return {
    isCached: memory.has,
    async preview(delivery) {
      const known = await readAgents(pool, [delivery.agentId], firingsOf([delivery]));
      const { value, writes } = evaluateBatch(known, [delivery], deps);
      const [result = { kind: "unknown" }] = value.results;
      return { result, signals: writes.orders.map(({ signal }) => signal) };
    },
    async store(deliveries) {
      const agentIds = [...new Set(deliveries.map((delivery) => delivery.agentId))];
      const known = memory.recall(agentIds) ?? (await readAgents(pool, agentIds));
      // What is cached is not trusted until the commit is confirmed
      memory.suspend(agentIds);
      const evaluated =
        (await storeOn(known, deliveries)) ?? (await storeLocked(agentIds, deliveries));
      memory.keep(evaluated, Math.max(...deliveries.map((each) => each.receivedAtMs)));
      return evaluated.value;
    },
  };
}

/** Maximum number of cached agents; the least recently used is evicted first. About 3 kB each. */
const MAX_AGENTS = 20_000;

/** An agent without a delivery for an hour is evicted: the cache holds the agents in use. */
const UNUSED_AFTER_MS = 3_600_000;

interface AgentChanges {
  readonly before: ReadonlyMap<AgentId, KnownAgent>;
  readonly after: ReadonlyMap<AgentId, KnownAgent>;
}

interface CachedAgent {
  readonly known: KnownAgent;
  readonly usedAtMs: number;
  isTrusted: boolean;
}

/**
 * Creates an in-memory cache of agents that recently received alerts; an entry is valid while its lane's version is
 * unchanged.
 *
 * An agent whose version another server has raised is not trusted until its version was found unchanged once: where
 * servers get its alerts in turn, trying would be in vain nearly each time.
 */
export function createAlertMemory(maxAgents = MAX_AGENTS) {
  const kept = new Map<AgentId, CachedAgent>();
  return {
    /** Whether the agent's state is cached and trusted. */
    has: (agentId: AgentId) => kept.get(agentId)?.isTrusted === true,
    /** Returns the cached state of all given agents, or null when any of them is not cached and trusted. */
    recall(agentIds: readonly AgentId[]): ReadonlyMap<AgentId, KnownAgent> | null {
      const found = new Map<AgentId, KnownAgent>();
      for (const agentId of agentIds) {
        const entry = kept.get(agentId);
        if (entry?.isTrusted !== true) return null;
        found.set(agentId, entry.known);
      }
      return found;
    },
    /** Distrusts agents that are being changed, until they are kept again. */
    suspend(agentIds: readonly AgentId[]) {
      for (const agentId of agentIds) {
        const entry = kept.get(agentId);
        if (entry !== undefined) entry.isTrusted = false;
      }
    },
    /** Caches the state of agents after a commit that was decided on the given state. */
    keep({ before, after }: AgentChanges, usedAtMs: number) {
      for (const [agentId, known] of after) {
        const last = kept.get(agentId)?.known.version;
        const isTrusted = last === undefined || last === before.get(agentId)?.version;
        kept.delete(agentId);
        kept.set(agentId, { known, usedAtMs, isTrusted });
      }
      // The first entries are the least recently used
      for (const [agentId, oldest] of kept) {
        if (kept.size <= maxAgents && oldest.usedAtMs > usedAtMs - UNUSED_AFTER_MS) break;
        kept.delete(agentId);
      }
    },
  };
}
