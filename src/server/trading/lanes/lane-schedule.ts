import { listIdleStops } from "../../store/lanes/auto-trade.ts";
import type { Network } from "../../../domain/network.ts";
import { type AgentWithWork, listAgentsWithWork } from "../../store/orders/orders.ts";
import { readNetwork } from "../../store/agents/agents.ts";
import { type LaneEnd, runLane } from "./lane.ts";
import { createNetworkQueues } from "./network-queues.ts";
import { findLateFills } from "../orders/find-late-fills.ts";
import type { TradingDeps } from "../orders/trading-deps.ts";

/** Maximum number of concurrent lanes per network, so that a network that hangs does not delay the others. */
const MAX_RUNNING_OF_NETWORK = 8;

/** Agents whose network is cached, so that waking one needs no read. */
const MAX_KNOWN = 10_000;

/** Interval, in milliseconds, of the database poll for work that no wake-up announced. */
const POLL_MS = 1_000;

/**
 * Stopping agents are checked every so many polls: one whose account could not be read has no open order to wake its
 * lane.
 */
const STOPS_EVERY_POLLS = 5;

/** Orders that were given up are checked on chain every so many polls. */
const LATE_EVERY_POLLS = 30;

/** Poll a waiting lane every 100 ms, for a limited number of times; after that the 1 s database poll finds it. */
const QUICK_LOOK_MS = 100;
const QUICK_LOOKS = 10;

/** Runs lanes that have work: woken in this process, woken by another server, or found by the poll. */
export interface LaneSchedule {
  wake(agentId: string): void;
  /** Resumes the work an earlier process left open, then keeps polling. */
  start(): void;
  /** Resolves when no lane is running. */
  stop(): Promise<void>;
}

/**
 * Creates a schedule that runs lanes of different agents concurrently and never one agent's lane twice. `worker` names
 * this process.
 */
export function createLaneSchedule(deps: TradingDeps, worker: string): LaneSchedule {
  const lanes = createNetworkQueues(MAX_RUNNING_OF_NETWORK, (agentId) =>
    runLane(deps, agentId, worker)
      .then((end) => afterRun(agentId, end))
      .catch((error: unknown) => deps.log.error({ err: error, agentId }, "lane not claimed")),
  );
  const networks = new Map<string, Network>();
  const quickLooks = new Map<string, { count: number; timer: NodeJS.Timeout }>();
  let pollTimer: NodeJS.Timeout | null = null;
  let isStopped = false;

  function afterRun(agentId: string, end: LaneEnd): void {
    const count = quickLooks.get(agentId)?.count ?? 0;
    if (end !== "waiting" || count >= QUICK_LOOKS || isStopped) {
      if (end !== "waiting") quickLooks.delete(agentId);
      return;
    }
    const timer = setTimeout(() => wake(agentId), QUICK_LOOK_MS);
    quickLooks.set(agentId, { count: count + 1, timer });
  }

  function enqueue({ agentId, network }: AgentWithWork): void {
    if (networks.size >= MAX_KNOWN) networks.clear();
    networks.set(agentId, network);
    if (!isStopped) lanes.add(network, agentId);
  }

  async function wakeUnknown(agentId: string): Promise<void> {
    try {
      const network = await readNetwork(deps.lanes, agentId);
      if (network !== null) enqueue({ agentId, network });
    } catch (error) {
      deps.log.warn({ err: error, agentId }, "lane not woken: the poll finds its work");
    }
  }

  function wake(agentId: string): void {
    const network = networks.get(agentId);
    if (isStopped) return;
    if (network === undefined) void wakeUnknown(agentId);
    else enqueue({ agentId, network });
  }

  const listWork = () => listAgentsWithWork(deps.lanes, deps.clock.now());
  const listStops = () => listIdleStops(deps.db);

  async function poll(list: () => Promise<readonly AgentWithWork[]>): Promise<void> {
    try {
      for (const work of await list()) {
        if (!lanes.isRunning(work.agentId)) enqueue(work);
      }
    } catch (error) {
      deps.log.warn({ err: error }, "poll for open orders failed");
    }
  }

  async function lookForLate(): Promise<void> {
    try {
      await findLateFills(deps);
    } catch (error) {
      deps.log.warn({ err: error }, "look for late fills failed");
    }
  }

  function pollLater(polls = 1): void {
    if (isStopped) return;
    pollTimer = setTimeout(() => {
      void poll(listWork)
        .then(() => (polls % STOPS_EVERY_POLLS === 0 ? poll(listStops) : undefined))
        .then(() => (polls % LATE_EVERY_POLLS === 0 ? lookForLate() : undefined))
        .then(() => pollLater(polls + 1));
    }, POLL_MS);
  }

  return {
    wake,
    start() {
      void poll(listStops)
        .then(() => poll(listWork))
        .then(() => pollLater());
    },
    async stop() {
      isStopped = true;
      if (pollTimer !== null) clearTimeout(pollTimer);
      for (const { timer } of quickLooks.values()) clearTimeout(timer);
      await lanes.stop();
    },
  };
}
