import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../../domain/clock.ts";
import type { AgentId } from "../../../domain/ids.ts";
import type { NetworkRuntime } from "../../networks.ts";
import { listIdleStops } from "../../store/lanes/auto-trade.ts";
import { endAllLaneLeases, renewLanes } from "../../store/lanes/lanes.ts";
import { listRestoredAgents } from "../../store/lanes/restored-lanes.ts";
import { listAgentsWithWork } from "../../store/orders/lanes-with-work.ts";
import { type LaneOwner, readLaneOwner } from "../../store/agents/agents.ts";
import { lookAtRestingSoon } from "../../store/orders/plan-positions.ts";
import { type RepeatedTask, repeatTask } from "../../pacing/repeat-task.ts";
import { LANE_LEASE_MS, runLane } from "./lane.ts";
import { createNetworkQueues, type LaneRank, type Passing } from "./network-queues.ts";
import { watchPlans } from "./watch-plans.ts";
import { findLateFills } from "../orders/find-late-fills.ts";
import type { KeptLane, LaneEnd, TradingDeps } from "../orders/order-context.ts";

/**
 * Maximum number of concurrent lanes of a built-in network that close, as many again that open, and that follow what opens:
 * entries delay none of the others. More would only keep the processor from each other, so fewer follow while entries wait.
 */
const RUNNING_BUILT_IN = { each: 8, besideWaiting: 2 };

/**
 * Of a network with nodes as many as its nodes answer requests in a second, within bounds: further ones would wait for
 * requests in the order they came, here they wait in turns of their owners. A part of them for those that open, so that the
 * first owners' agents do not begin all at once, and fewer while orders at their venue wait, because what an order needs after
 * its placing is more: they would come to rest faster than they are filled. Beside exits few begin, which would take processor,
 * database and signer from them.
 */
const RUNNING = { least: 4, most: 64, entryShare: 0.7, beside: { exits: 0.1, others: 0.5 } };

/** Returns how many lanes of a rank run at once. */
export function placesOf(
  network: Pick<NetworkRuntime, "requestsPerSecond"> | undefined,
  { isExit, isSent = false }: LaneTurn,
  passing: Passing,
): number {
  const perSecond = network?.requestsPerSecond;
  const { each, besideWaiting } = RUNNING_BUILT_IN;
  if (perSecond === undefined) return passing !== null && isSent ? besideWaiting : each;
  const share = passing === null ? RUNNING.entryShare : RUNNING.beside[passing];
  const wanted = isExit || isSent ? perSecond : share * perSecond;
  return Math.min(RUNNING.most, Math.max(RUNNING.least, wanted));
}

/** Agents whose network and owner are cached, so that waking one needs no read. */
const MAX_KNOWN = 10_000;

/** Interval, in milliseconds, of the database poll for work that no wake-up announced. */
const POLL_MS = 1_000;

/**
 * Stopping agents are checked every so many polls: one whose account could not be read has no open order to wake its
 * lane.
 */
const STOPS_EVERY_POLLS = 5;

/** Pause, in milliseconds, between two looks on chain for orders that were given up. */
const LATE_PAUSE_MS = 30_000;

/** Pause, in milliseconds, between two looks at prices for the plans of open positions; each takes at most 3 s. */
const PLANS_PAUSE_MS = 5_000;

/** Agents of a restored database without work are looked at every so many polls, until the chain has told all. */
const RESTORED_EVERY_POLLS = 15;

/**
 * Pauses, in milliseconds, between looks at an order at its venue, after which its lane runs again, and between tries of
 * a lane that has to wait, after which the poll finds it. A look takes no place from orders that are still to be sent.
 */
const LOOK_PAUSES_MS = [100, 200, 400, 800, 800, 800, 800, 800];
const WATCH_MS = 5_000;

/** Pause between two renewals of all held lanes, in milliseconds; three of a lease may be missed. */
const RENEW_PAUSE_MS = LANE_LEASE_MS / 4;

/** Runs lanes that have work: woken in this process, woken by another server, or found by the poll. */
export interface LaneSchedule {
  /** `isExit`: the agent has something to close; entries of another server's agents are left to it. */
  wake(agentId: AgentId, isExit: boolean): void;
  /** Resumes the work an earlier process left open, then keeps polling. */
  start(): void;
  /** Resolves when no lane is running. */
  stop(): Promise<void>;
}

/**
 * Returns a pause of about that length, in milliseconds, which ends when those of other orders do: what they ask the
 * chain then goes out together.
 */
function untilNextLook(nowMs: number, pauseMs: number): number {
  const earliestMs = nowMs + pauseMs / 2;
  return Math.ceil(earliestMs / pauseMs) * pauseMs - nowMs;
}

/** How urgent a lane's next turn is. */
type LaneTurn = Pick<LaneRank, "isExit" | "isSent">;

/**
 * Looks at what a lane waits for and wakes the lane once it went on, or after the last pause. A lane that waits for time
 * alone is tried again after the next pause each time.
 */
function createWatches(clock: Clock, wake: (agentId: AgentId, turn: LaneTurn) => void) {
  const watches = new Map<AgentId, { readonly untilMs: number }>();
  /** Turns in a row in which an agent's lane had to wait. */
  const waits = new Map<AgentId, number>();

  async function watch(
    agentId: AgentId,
    turn: LaneTurn,
    pausesMs: readonly number[],
    look: KeptLane["look"],
  ): Promise<void> {
    const own = { untilMs: clock.now() + WATCH_MS };
    watches.set(agentId, own);
    for (const pauseMs of pausesMs) {
      await sleep(untilNextLook(clock.now(), pauseMs), undefined, { ref: false });
      if (watches.get(agentId) !== own) return;
      // The lane's own turn tells why a chain does not answer
      if (await look().catch(() => false)) break;
    }
    if (watches.get(agentId) === own) wake(agentId, turn);
  }

  return {
    begin(agentId: AgentId, end: LaneEnd, isExit: boolean): void {
      if (typeof end === "object") {
        void watch(agentId, { isExit, isSent: true }, LOOK_PAUSES_MS, () => end.look());
      }
      const count = end === "waiting" ? (waits.get(agentId) ?? 0) : null;
      if (count === null) waits.delete(agentId);
      else waits.set(agentId, count + 1);
      const pauseMs = LOOK_PAUSES_MS[count ?? LOOK_PAUSES_MS.length];
      if (pauseMs !== undefined) void watch(agentId, { isExit }, [pauseMs], async () => true);
    },
    end: (agentId: AgentId) => watches.delete(agentId),
    /** A look that hangs does not keep the poll from the lane. */
    has: (agentId: AgentId) => (watches.get(agentId)?.untilMs ?? 0) > clock.now(),
    stop: () => watches.clear(),
  };
}

/** Creates the turns of lanes; what stays held between two of them is renewed, of all lanes in one statement. */
function createTurns(deps: TradingDeps, worker: string) {
  /** Null while a turn is under way. */
  const held = new Map<AgentId, KeptLane | null>();
  return {
    async take(agentId: AgentId): Promise<LaneEnd> {
      const kept = held.get(agentId);
      held.set(agentId, null);
      let end: LaneEnd = "waiting";
      try {
        end = await (kept?.goOn() ?? runLane(deps, agentId, worker));
        return end;
      } finally {
        if (typeof end === "object") held.set(agentId, end);
        else held.delete(agentId);
      }
    },
    renewal: repeatTask({
      task: () => renewLanes(deps.db, [...held.keys()], worker, LANE_LEASE_MS),
      pauseMs: RENEW_PAUSE_MS,
      // A single failed renewal is harmless; a lane that was taken meanwhile is detected by its fencing number
      onFailure: () => {},
    }),
    async end(): Promise<void> {
      if (held.size > 0) await endAllLaneLeases(deps.db, worker);
    },
  };
}

/** Creates the looks at what no order announces, of each network its own: one that hangs delays neither the poll nor others. */
function createLooks(deps: TradingDeps, wake: LaneSchedule["wake"]): readonly RepeatedTask[] {
  return [...deps.networks.keys()].flatMap((network) => [
    repeatTask({
      task: () => findLateFills(deps, network),
      pauseMs: LATE_PAUSE_MS,
      onFailure: (error) => deps.log.warn({ err: error, network }, "look for late fills failed"),
    }),
    repeatTask({
      task: () => watchPlans(deps, network, wake),
      pauseMs: PLANS_PAUSE_MS,
      onFailure: (error) => deps.log.error({ err: error, network }, "plans not watched"),
    }),
  ]);
}

/**
 * Creates a schedule that runs lanes of different agents concurrently and never one agent's lane twice. `worker` names
 * this process.
 */
export function createLaneSchedule(deps: TradingDeps, worker: string): LaneSchedule {
  const turns = createTurns(deps, worker);
  const lanes = createNetworkQueues<AgentId>(
    (rank, passing) => placesOf(deps.networks.get(rank.network), rank, passing),
    (agentId, { isExit }) =>
      turns
        .take(agentId)
        .then((end) => watches.begin(agentId, end, isExit))
        .catch((error: unknown) => deps.log.error({ err: error, agentId }, "lane not claimed")),
    deps.clock,
  );
  const owners = new Map<AgentId, LaneOwner>();
  const watches = createWatches(deps.clock, turn);
  const looks = [turns.renewal, ...createLooks(deps, wake)];
  let polls = 0;
  let isStopped = false;

  function enqueue(agentId: AgentId, rank: LaneRank): void {
    const { network, owner } = rank;
    if (owners.size >= MAX_KNOWN) owners.clear();
    watches.end(agentId);
    owners.set(agentId, { network, owner });
    if (!isStopped) lanes.add(agentId, rank);
  }

  async function turnUnknown(agentId: AgentId, rank: LaneTurn): Promise<void> {
    try {
      const known = await readLaneOwner(deps.lanes, agentId);
      if (known !== null) enqueue(agentId, { ...known, ...rank });
    } catch (error) {
      deps.log.warn({ err: error, agentId }, "lane not woken: the poll finds its work");
    }
  }

  /** What closes is taken by whichever server is first: it does not wait until another one is found lost. */
  const isOurs = (agentId: AgentId, isExit: boolean): boolean =>
    isExit || (deps.shares?.owns(agentId) ?? true);

  function turn(agentId: AgentId, rank: LaneTurn): void {
    const known = owners.get(agentId);
    if (isStopped) return;
    if (known === undefined) void turnUnknown(agentId, rank);
    else enqueue(agentId, { ...known, ...rank });
  }

  function wake(agentId: AgentId, isExit: boolean): void {
    if (isOurs(agentId, isExit)) turn(agentId, { isExit });
  }

  async function poll(): Promise<void> {
    const isTurnOf = (every: number) => polls % every === 0;
    const [stops, restored] = [isTurnOf(STOPS_EVERY_POLLS), isTurnOf(RESTORED_EVERY_POLLS)];
    // Before anything is asked: what fails here must not keep the next polls from the work
    polls += 1;
    const found = [
      ...(stops ? await listIdleStops(deps.db) : []),
      ...(restored ? await listRestoredAgents(deps.db) : []),
      ...(await listAgentsWithWork(deps.lanes, deps.clock.now())),
    ];
    for (const { agentId, ...work } of found) {
      const isTaken = lanes.isRunning(agentId) || watches.has(agentId);
      if (!isTaken && isOurs(agentId, work.isExit)) enqueue(agentId, work);
    }
  }

  const polling = repeatTask({
    task: poll,
    pauseMs: POLL_MS,
    onFailure: (error) => deps.log.warn({ err: error }, "poll for open orders failed"),
  });

  return {
    wake,
    start() {
      for (const look of looks) look.start();
      void lookAtRestingSoon(deps.db, deps.clock.now())
        .catch((error: unknown) => deps.log.warn({ err: error }, "stops not looked at"))
        .then(() => {
          polling.start();
          polling.wake();
        });
    },
    async stop() {
      isStopped = true;
      watches.stop();
      await Promise.all([polling, lanes, ...looks].map((each) => each.stop()));
      await turns.end();
    },
  };
}
