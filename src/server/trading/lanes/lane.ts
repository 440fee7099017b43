import type { AgentId } from "../../../domain/ids.ts";
import { ChainUnavailableError } from "../../../solana/chain.ts";
import { type LaneWork, readLaneWork } from "../../store/lanes/lane-work.ts";
import type { HeldLane } from "../../store/orders/held-lane.ts";
import { claimLane, releaseIfIdle, releaseLane, renewLane } from "../../store/lanes/lanes.ts";
import type { OpenOrder } from "../../store/orders/orders.ts";
import { inClass } from "../../networks.ts";
import { denyBehindExit, type ExitRecord } from "../../store/orders/exits.ts";
import { continueExit } from "../orders/continue-exit.ts";
import { continueStopping } from "../orders/continue-stopping.ts";
import { closedSide } from "../orders/exits.ts";
import type { LaneTurn } from "../orders/lane-turn.ts";
import { placeOrder } from "../orders/place-order.ts";
import { publishOrderChange } from "../orders/publish-order-change.ts";
import { settleRestored } from "../orders/settle-restored.ts";
import { settleOrder } from "../orders/settle-order.ts";
import { settlePnl } from "../orders/settle-pnl.ts";
import { type TradingAgent, toTradingAgent } from "../orders/trading-agent.ts";
import type { TradingDeps } from "../orders/trading-deps.ts";

/**
 * Duration of a lane's lease without renewal, in milliseconds; another server waits this long after this one was
 * killed.
 */
const LANE_LEASE_MS = 10_000;

/** Renewals per lease; two may be missed. */
const BEATS_PER_LEASE = 4;

/** `waiting`: an open order or exit depends on time or the chain. `taken`: another worker holds the lane. */
export type LaneEnd = "empty" | "waiting" | "taken";

/**
 * Processes one agent's orders strictly in sequence: an order is settled before the next is placed.
 *
 * One worker holds a lane at a time; the fencing number prevents writes by a worker that was paused past its lease.
 */
export async function runLane(
  deps: TradingDeps,
  agentId: AgentId,
  worker: string,
  leaseMs = LANE_LEASE_MS,
): Promise<LaneEnd> {
  const nowMs = deps.clock.now();
  const claimed = await claimLane(deps.lanes, agentId, worker, { leaseMs, nowMs });
  if (claimed === null) return "taken";
  const { lane } = claimed;
  deps.log.debug({ agentId, worker }, "lane taken");
  const heart = setInterval(() => {
    // A single failed renewal is harmless; a lane that was taken meanwhile is detected by its fencing number
    renewLane(deps.db, lane, leaseMs).catch(() => {});
  }, leaseMs / BEATS_PER_LEASE);
  let end: LaneEnd | "left" = "waiting";
  try {
    end = await workThrough(deps, lane, claimed.work, nowMs);
  } catch (error) {
    if (!(error instanceof ChainUnavailableError)) {
      deps.log.error({ err: error, agentId }, "lane stopped");
    }
  } finally {
    clearInterval(heart);
  }
  if (end === "left") return "empty";
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
  claimed: LaneWork | null,
  claimedAtMs: number,
): Promise<LaneEnd | "left"> {
  let [work, askedAtMs] = [claimed, claimedAtMs];
  while (work !== null) {
    const step = await takeStep(deps, lane, work, askedAtMs);
    if (step !== "moved") return step;
    if (await releaseIfIdle(deps.lanes, lane)) return "left";
    askedAtMs = deps.clock.now();
    work = await readLaneWork(deps.lanes, lane.agentId, askedAtMs);
  }
  return "empty";
}

/** Learns what a restored database does not know, processes orders, then the exit that is due, then the end of a stop. */
async function takeStep(
  deps: TradingDeps,
  lane: HeldLane,
  work: LaneWork,
  askedAtMs: number,
): Promise<LaneEnd | "moved"> {
  const { order, exit, restored } = work;
  // Sent ones are settled first: what they did is known then
  if (restored !== null && (order === null || order.state === "planned")) {
    const agent = toTradingAgent(inClass(deps.networks, "exit"), work.agent);
    switch (await settleRestored(deps, lane, agent, restored)) {
      case "settled":
        return "moved";
      case "waiting":
        return "waiting";
      case "lost":
        return "taken";
      case "untraded":
        break;
    }
  }
  if (order !== null) return moveOn(deps, order, work, lane);
  if (exit !== null) return moveExitOn(deps, exit, work, lane, askedAtMs);
  if (work.agent.autoTrade !== "stopping") return "empty";
  return (await continueStopping(deps, lane.agentId)) === "closing" ? "moved" : "empty";
}

async function moveOn(
  deps: TradingDeps,
  order: OpenOrder,
  { agent: record, ledger, exit }: LaneWork,
  lane: HeldLane,
): Promise<LaneEnd | "moved"> {
  const urgent = toTradingAgent(inClass(deps.networks, "exit"), record);
  const turn = { lane, ledger, exit: order.exitId === null ? null : exit };
  if (order.state !== "planned") return settle(deps, order, urgent, turn);
  const agent = closedSide(order) === null ? toTradingAgent(deps.networks, record) : urgent;
  const placement = await placeOrder(deps, order, agent, turn);
  switch (placement.kind) {
    case "lost":
      return "taken";
    case "ended":
    case "put_off":
      return "moved";
    case "submitted":
      return settle(deps, placement.order, urgent, { ...turn, ledger: placement.ledger });
  }
}

async function settle(
  deps: TradingDeps,
  order: OpenOrder,
  agent: TradingAgent,
  turn: LaneTurn,
): Promise<LaneEnd | "moved"> {
  const settlement = await settleOrder(deps, order, agent, turn);
  deps.log.debug({ agentId: order.agentId, orderId: order.id, settlement }, "order settled");
  if (settlement === "lost") return "taken";
  if (settlement === "open") return "waiting";
  if (settlement === "traded") await settlePnl(deps, order, agent);
  return "moved";
}

async function moveExitOn(
  deps: TradingDeps,
  exit: ExitRecord,
  { agent: record }: LaneWork,
  lane: HeldLane,
  askedAtMs: number,
): Promise<LaneEnd | "moved"> {
  // Due by the time the work was asked for: one that came due since may have its order planned already
  if (exit.nextAttemptAtMs > askedAtMs) {
    const nowMs = deps.clock.now();
    const freshSinceMs = nowMs - record.maxSignalAgeSeconds * 1_000;
    const hasChanged = await denyBehindExit(deps.lanes, record.id, nowMs, freshSinceMs);
    if (hasChanged) publishOrderChange(deps, record);
    return "waiting";
  }
  const agent = toTradingAgent(inClass(deps.networks, "exit"), record);
  switch (await continueExit(deps, lane, agent, exit)) {
    case "lost":
      return "taken";
    case "postponed":
      return "waiting";
    case "flat":
    case "planned":
      return "moved";
  }
}
