import { ChainUnavailableError } from "../../../solana/chain.ts";
import { type LaneWork, readLaneWork } from "../../store/lane-work.ts";
import {
  claimLane,
  type HeldLane,
  leaveIfEmpty,
  releaseLane,
  renewLane,
} from "../../store/lanes.ts";
import type { OpenOrder } from "../../store/orders.ts";
import { continueStopping } from "./continue-stopping.ts";
import { placeOrder } from "../orders/place-order.ts";
import type { LaneRisk } from "../orders/record-fill.ts";
import { settleOrder } from "../orders/settle-order.ts";
import { settlePnl } from "../orders/settle-pnl.ts";
import { type TradingAgent, toTradingAgent } from "../trading-agent.ts";
import type { TradingDeps } from "../trading-deps.ts";

/** How long a lane stays ours without a sign of life: what another server waits for after this one was killed. */
const LANE_LEASE_MS = 10_000;

/** Signs of life per lease: two may be missed. */
const BEATS_PER_LEASE = 4;

/** Closings planned for a stopping agent within one run; more means that closing does not close. */
const MAX_STOP_STEPS = 3;

/** `waiting`: something is open that only time or the chain moves on. `taken`: another worker has the lane. */
export type LaneEnd = "empty" | "waiting" | "taken";

/**
 * Works through one agent's orders strictly one after the other: an order is settled before the next is placed.
 *
 * One worker holds a lane at a time; the fence number keeps a worker that was paused too long from doing anything.
 */
export async function runLane(
  deps: TradingDeps,
  agentId: string,
  worker: string,
  leaseMs: number = LANE_LEASE_MS,
): Promise<LaneEnd> {
  const claimed = await claimLane(deps.lanes, agentId, worker, leaseMs);
  if (claimed === null) return "taken";
  const { lane } = claimed;
  const heart = setInterval(() => {
    // A missed beat costs nothing yet; a lane that was taken meanwhile is found out by its fence
    renewLane(deps.db, lane, leaseMs).catch(() => {});
  }, leaseMs / BEATS_PER_LEASE);
  let end: LaneEnd | "left" = "waiting";
  try {
    end = await workThrough(deps, lane, claimed.work);
  } catch (error) {
    if (!(error instanceof ChainUnavailableError)) {
      deps.log.error({ err: error, agentId }, "lane stopped");
    }
  } finally {
    clearInterval(heart);
  }
  if (end === "left") return "empty";
  await releaseLane(deps.db, lane).catch((error: unknown) => {
    // The lease runs out by itself
    deps.log.warn({ err: error, agentId }, "lane not released");
  });
  return end;
}

/** `left`: there was nothing more to do, and the lane is released already. */
async function workThrough(
  deps: TradingDeps,
  lane: HeldLane,
  claimed: LaneWork | null,
): Promise<LaneEnd | "left"> {
  let work = claimed;
  let stopSteps = 0;
  let mayClose = true;
  while (work !== null) {
    if (work.order === null) {
      if (work.agent.autoTrade !== "stopping" || !mayClose) return "empty";
      if (stopSteps === MAX_STOP_STEPS) return "empty";
      stopSteps += 1;
      if ((await continueStopping(deps, lane.agentId)) !== "closing") return "empty";
    } else {
      const step = await moveOn(deps, work.order, work, lane);
      if (step === "waiting" || step === "taken") return step;
      // A closing that failed is not repeated by itself: the owner is told and asks again
      mayClose = step !== "closing_failed";
      if (await leaveIfEmpty(deps.lanes, lane)) return "left";
    }
    work = await readLaneWork(deps.lanes, lane.agentId);
  }
  return "empty";
}

async function moveOn(
  deps: TradingDeps,
  order: OpenOrder,
  { agent: record, ledger }: LaneWork,
  lane: HeldLane,
): Promise<"moved" | "closing_failed" | "waiting" | "taken"> {
  const agent = toTradingAgent(deps.networks, record);
  if (order.state === "planned") {
    const placement = await placeOrder(deps, order, agent, lane, ledger);
    if (placement.kind === "lost") return "taken";
    if (placement.kind === "ended") {
      return placement.reason === "nothing_to_close" ? "moved" : failureOf(order);
    }
    const submitted = { ...order, state: "submitted", sent: placement.sent } as const;
    return settle(deps, submitted, agent, { lane, ledger: placement.ledger });
  }
  return settle(deps, order, agent, { lane, ledger });
}

/** Only the owner's own closing ends a stopping agent's row of attempts. */
const failureOf = (order: OpenOrder) => (order.eventId === null ? "closing_failed" : "moved");

async function settle(
  deps: TradingDeps,
  order: OpenOrder,
  agent: TradingAgent,
  held: LaneRisk,
): Promise<"moved" | "closing_failed" | "waiting" | "taken"> {
  const settlement = await settleOrder(deps, order, agent, held);
  if (settlement === "lost") return "taken";
  if (settlement === "open") return "waiting";
  if (settlement !== "filled") return failureOf(order);
  await settlePnl(deps, order, agent);
  return "moved";
}
