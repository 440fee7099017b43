import { ChainUnavailableError } from "../../solana/chain.ts";
import { claimLane, releaseLane, renewLane } from "../store/lanes.ts";
import { nextOpenOrder, type OpenOrder } from "../store/orders.ts";
import { continueStopping } from "./continue-stopping.ts";
import { placeOrder } from "./place-order.ts";
import { settleOrder } from "./settle-order.ts";
import { settlePnl } from "./settle-pnl.ts";
import { findTradingAgent } from "./trading-agent.ts";
import type { TradingDeps } from "./trading-deps.ts";

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
  const fence = await claimLane(deps.db, agentId, worker, leaseMs);
  if (fence === null) return "taken";
  const heart = setInterval(() => {
    // A missed beat costs nothing yet; a lane that was taken meanwhile is found out by its fence
    renewLane(deps.db, agentId, fence, leaseMs).catch(() => {});
  }, leaseMs / BEATS_PER_LEASE);
  try {
    return await workThrough(deps, agentId, fence);
  } catch (error) {
    if (!(error instanceof ChainUnavailableError)) {
      deps.log.error({ err: error, agentId }, "lane stopped");
    }
    return "waiting";
  } finally {
    clearInterval(heart);
    await releaseLane(deps.db, agentId, fence).catch((error: unknown) => {
      // The lease runs out by itself
      deps.log.warn({ err: error, agentId }, "lane not released");
    });
  }
}

async function workThrough(deps: TradingDeps, agentId: string, fence: bigint): Promise<LaneEnd> {
  let stopSteps = 0;
  let mayClose = true;
  for (;;) {
    const order = await nextOpenOrder(deps.db, agentId);
    if (order === null) {
      if (!mayClose || stopSteps === MAX_STOP_STEPS) return "empty";
      stopSteps += 1;
      const progress = await continueStopping(deps, agentId);
      if (progress === "closing") continue;
      return "empty";
    }
    const step = await moveOn(deps, order, fence);
    if (step === "waiting" || step === "taken") return step;
    // A closing that failed is not repeated by itself: the owner is told and asks again
    mayClose = step !== "closing_failed";
  }
}

async function moveOn(
  deps: TradingDeps,
  order: OpenOrder,
  fence: bigint,
): Promise<"moved" | "closing_failed" | "waiting" | "taken"> {
  const agent = await findTradingAgent(deps, order.agentId);
  if (agent === null) return "taken";
  const failed = order.eventId === null ? "closing_failed" : "moved";
  if (order.state === "planned") {
    const placement = await placeOrder(deps, order, agent, fence);
    if (placement.kind === "lost") return "taken";
    if (placement.kind === "submitted") return "moved";
    return placement.reason === "nothing_to_close" ? "moved" : failed;
  }
  const settlement = await settleOrder(deps, order, agent, fence);
  if (settlement === "lost") return "taken";
  if (settlement === "open") return "waiting";
  if (settlement !== "filled") return failed;
  await settlePnl(deps, order, agent);
  return "moved";
}
