import { listIdleStops } from "../../store/auto-trade.ts";
import { listAgentsWithWork } from "../../store/orders.ts";
import { type LaneEnd, runLane } from "./lane.ts";
import { createPlaces } from "./network-places.ts";
import { findLateFills } from "../orders/find-late-fills.ts";
import type { TradingDeps } from "../trading-deps.ts";

/** Lanes of one network that may run at once in this process: one that hangs holds up no other. */
const MAX_RUNNING_OF_NETWORK = 8;

/** Lanes that may be held at once in this process, most of them waiting for a place. */
const MAX_HELD = 64;

/** How often the database is asked for work nobody told us of. */
const POLL_MS = 1_000;

/** Every so many polls: stopping agents whose account could not be read have no open order that would bring them up. */
const STOPS_EVERY_POLLS = 5;

/** Every so many polls the chain is asked about orders that were given up. */
const LATE_EVERY_POLLS = 30;

/** While an answer of the chain is awaited a lane looks this often, for so many times; then the poll takes over. */
const QUICK_LOOK_MS = 100;
const QUICK_LOOKS = 10;

/** Lets lanes run when there is something to do: woken here, woken by another server, or found by the poll. */
export interface LaneSchedule {
  wake(agentId: string): void;
  /** Finds what an earlier process left behind, then keeps looking. */
  start(): void;
  /** Resolves when no lane runs any more. */
  stop(): Promise<void>;
}

/** Runs lanes of different agents beside each other and never one agent's lane twice. `worker` names this process. */
export function createLaneSchedule(deps: TradingDeps, worker: string): LaneSchedule {
  const running = new Map<string, Promise<void>>();
  const enter = createPlaces(MAX_RUNNING_OF_NETWORK);
  const queued = new Set<string>();
  const quickLooks = new Map<string, { count: number; timer: NodeJS.Timeout }>();
  let pollTimer: NodeJS.Timeout | null = null;
  let isStopped = false;

  function startLanes(): void {
    for (const agentId of queued) {
      if (isStopped || running.size >= MAX_HELD) return;
      if (running.has(agentId)) continue;
      queued.delete(agentId);
      const run = runLane(deps, agentId, worker, { enter })
        .then((end) => afterRun(agentId, end))
        .catch((error: unknown) => deps.log.error({ err: error, agentId }, "lane not claimed"))
        .finally(() => {
          running.delete(agentId);
          startLanes();
        });
      running.set(agentId, run);
    }
  }

  function afterRun(agentId: string, end: LaneEnd): void {
    const count = quickLooks.get(agentId)?.count ?? 0;
    if (end !== "waiting" || count >= QUICK_LOOKS || isStopped) {
      if (end !== "waiting") quickLooks.delete(agentId);
      return;
    }
    const timer = setTimeout(() => wake(agentId), QUICK_LOOK_MS);
    quickLooks.set(agentId, { count: count + 1, timer });
  }

  function wake(agentId: string): void {
    if (isStopped) return;
    queued.add(agentId);
    startLanes();
  }

  const listWork = () => listAgentsWithWork(deps.lanes, deps.clock.now());
  const listStops = () => listIdleStops(deps.db);

  async function poll(list: () => Promise<readonly string[]>): Promise<void> {
    try {
      for (const agentId of await list()) {
        if (!running.has(agentId)) wake(agentId);
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
      await Promise.all(running.values());
    },
  };
}
