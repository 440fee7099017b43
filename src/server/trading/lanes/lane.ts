import type { AgentId } from "../../../domain/ids.ts";
import { ChainUnavailableError } from "../../../solana/chain.ts";
import type { AgentRecord } from "../../store/agents/agents.ts";
import { type LaneWork, claimLane, readLaneWork, releaseLane } from "../../store/lanes/lanes.ts";
import type { HeldLane } from "../../store/orders/change.ts";
import type { OpenOrder } from "../../store/orders/orders.ts";
import { commit } from "../orders/commit.ts";
import { continueStopping } from "../orders/continue-stopping.ts";
import { closedSide, continueExit, waitForExit } from "../orders/exits.ts";
import {
  type LaneEnd,
  type Step,
  type KeptLane,
  type StepsEnd,
  type TradingDeps,
  type Watched,
  stepTo,
  toTradingAgent,
  toUrgentAgent,
} from "../orders/order-context.ts";
import { keepPlan } from "../orders/keep-plan.ts";
import { placeOrder } from "../orders/place-order.ts";
import { settleOrder } from "../orders/settle-order.ts";
import { settleRestored } from "../orders/settle-restored.ts";

/**
 * Duration of a lane's lease without renewal, in milliseconds; another server waits this long after this one was
 * killed.
 */
export const LANE_LEASE_MS = 10_000;

/**
 * Processes one agent's orders strictly in sequence: an order is settled before the next is placed.
 *
 * One worker holds a lane at a time; the fencing number prevents writes by a worker that was paused past its lease. While
 * its order is at the venue the lane stays held.
 */
export async function runLane(
  deps: TradingDeps,
  agentId: AgentId,
  worker: string,
  leaseMs = LANE_LEASE_MS,
): Promise<LaneEnd> {
  const nowMs = deps.clock.now();
  const work = await claimLane(deps.lanes, agentId, worker, { leaseMs, nowMs });
  if (work === null) return "taken";
  const { lane } = work;
  deps.log.debug({ agentId, worker }, "lane taken");
  return takeTurn(deps, lane, () => workThrough(deps, lane, work));
}

async function takeTurn(
  deps: TradingDeps,
  lane: HeldLane,
  turn: () => Promise<LaneEnd | "left">,
): Promise<LaneEnd> {
  const { agentId } = lane;
  const end = await turn().catch((error: unknown) => {
    if (!(error instanceof ChainUnavailableError)) {
      deps.log.error({ err: error, agentId }, "lane stopped");
    }
    return "waiting" as const;
  });
  if (end === "left") return "empty";
  if (typeof end === "object") return end;
  await releaseLane(deps.db, lane).catch((error: unknown) => {
    // The lease expires by itself
    deps.log.warn({ err: error, agentId }, "lane not released");
  });
  return end;
}

/** `left`: there was no more work, and the lane is already released. */
async function workThrough(
  deps: TradingDeps,
  lane: HeldLane,
  asked: LaneWork | null,
): Promise<LaneEnd | "left"> {
  let work = asked;
  while (work !== null) {
    if (work.lane.fence !== lane.fence) return "taken";
    const end = await takeSteps(deps, lane, work.agent, await firstStep(deps, work));
    if (end !== "moved") return typeof end === "object" ? keepLane(deps, work, end) : end;
    work = await readLaneWork(deps.lanes, lane.agentId, deps.clock.now());
  }
  return "empty";
}

/**
 * Keeps the lane with what was read for it. What a look finds is stored without another reading, unless somebody else
 * changed the agent meanwhile: then the lane's work is read anew.
 */
function keepLane(deps: TradingDeps, work: LaneWork, watched: Watched): KeptLane {
  const { lane, version, agent } = work;
  let { look } = watched;
  let found: Step | null = null;
  return {
    async look() {
      const step = await look();
      if (step.change === null && typeof step.next === "object") {
        ({ look } = step.next);
        return false;
      }
      found = step;
      return true;
    },
    goOn: () =>
      takeTurn(deps, lane, async () => {
        const end =
          found === null ? "moved" : await takeSteps(deps, { ...lane, version }, agent, found);
        if (end === "moved" || end === "taken") {
          const asked = await readLaneWork(deps.lanes, lane.agentId, deps.clock.now());
          return workThrough(deps, lane, asked);
        }
        return typeof end === "object" ? keepLane(deps, work, end) : end;
      }),
  };
}

/** Stores what each step found before anything else is done: after a crash the lane goes on from there. */
async function takeSteps(
  deps: TradingDeps,
  lane: HeldLane,
  record: AgentRecord,
  first: Step,
): Promise<StepsEnd | "moved" | "left"> {
  let step = first;
  for (;;) {
    const { change, next } = step;
    const committed =
      change === null ? "committed" : await commit(deps, lane, record, change, next === "moved");
    if (committed === "lost") {
      deps.log.debug({ agentId: lane.agentId, orderId: change?.order?.id }, "overtaken");
      return "taken";
    }
    // The agent's last transaction of the same kind: the next block makes another of it
    if (committed === "same_bytes") return "waiting";
    await step.afterwards?.();
    if (committed === "left") return "left";
    if (typeof next !== "function") return next;
    step = await next();
  }
}

/**
 * Learns what a restored database does not know, processes orders, then the exit that is due, then the plan of the
 * position, then the end of a stop. An entry waits for the plan: it may have to know the position that it adds to.
 */
async function firstStep(deps: TradingDeps, work: LaneWork): Promise<Step> {
  const { askedAtMs, order, exit, restored, agent: record, ledger, plan, followUp } = work;
  const urgent = toUrgentAgent(deps.networks, record);
  // Sent ones are settled first: what they did is known then
  if (restored !== null && (order === null || order.state === "planned")) {
    const step = await settleRestored(deps, urgent, restored);
    if (step !== null) return step;
  }
  const isPlanDue = plan !== null && plan.dueAtMs <= askedAtMs && exit === null;
  if (isPlanDue && isBefore(order)) return keepPlan(deps, urgent, plan);
  if (order !== null) {
    const isEntry = closedSide(order) === null;
    const agent = isEntry ? toTradingAgent(deps.networks, record) : urgent;
    const own = order.exitId === null ? null : exit;
    const context = { deps, order, ledger, agent, plan, exit: own, followUp };
    return order.state === "planned" ? placeOrder(context) : settleOrder(context);
  }
  if (exit !== null) {
    // Due by the time the work was asked for: one that came due since may have its order planned already
    return exit.nextAttemptAtMs > askedAtMs
      ? waitForExit(deps, urgent)
      : continueExit(deps, urgent, exit);
  }
  if (record.autoTrade !== "stopping") return stepTo("empty");
  return stepTo((await continueStopping(deps, record.id)) === "closing" ? "moved" : "empty");
}

/** Returns whether the plan is looked at before the order. */
const isBefore = (order: OpenOrder | null): boolean =>
  order === null || (order.state === "planned" && closedSide(order) === null);
