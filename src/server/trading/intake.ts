import type { AgentId } from "../../domain/ids.ts";
import type { OpenDatabase } from "../store/postgres/pool.ts";
import type { TouchedAgent } from "./intake/evaluate-batch.ts";
import { type AlertReceiver, createAlertReceiver } from "./intake/receive-alerts.ts";
import { publishStale } from "./orders/commit.ts";
import type { Session } from "../session.ts";
import { AppError, found } from "../../contract/errors.ts";
import { findAgent, lockLane, type AgentRecord } from "../store/agents/agents.ts";
import { type Actor, insertAudit } from "../store/audit/audit.ts";
import { moveAutoTrade, readAutoTrade } from "../store/lanes/auto-trade.ts";
import type { Change } from "../store/orders/change.ts";
import { applyChange } from "../store/orders/commit-change.ts";
import { listExits, joinExit, wasExitRequested } from "../store/orders/exits.ts";
import { endPlanPosition, lookAtPlanSoon } from "../store/orders/plan-positions.ts";
import { listPlannedOrders } from "../store/orders/orders.ts";
import type { TradingDeps, PlanningDeps } from "./orders/order-context.ts";
import type { Side } from "../../domain/position.ts";
import { beginExits } from "./orders/exits.ts";
import { acceptPowers } from "../store/reconcile/foreign-powers.ts";
import { resetCounters } from "../store/alerts/counters.ts";
import { clearFailures } from "../store/lanes/lanes.ts";
import { continueStopping } from "./orders/continue-stopping.ts";

export interface IntakeDeps extends SetAutoTradeDeps {
  /** Connections reserved for alerts, with short timeouts: the sender waits three seconds. */
  readonly alertDatabase: Pick<OpenDatabase, "db" | "pool">;
}

/** The half of trading that signs nothing: alerts become planned orders, and owners turn agents on and off. */
export interface Intake extends AlertReceiver {
  setAutoTrade(agentId: AgentId, by: Caller, target: "on" | "off"): Promise<void>;
  /** Cancels an agent's open exits and leaves its positions open. */
  endExits(agentId: AgentId, by: Actor): Promise<void>;
  /** Begins an exit of the agent's position; auto-trade stays as it is. */
  closePosition(agentId: AgentId, by: Actor, request: CloseRequest): Promise<void>;
  /** Called when an owner closed an agent's positions, which may complete a stop. */
  positionsClosed(agentId: AgentId): void;
}

/** Creates the intake of a process. `wake` reaches the agent's lane, in this process or another, and says whether it has
 * something to close. */
export function createIntake(deps: IntakeDeps): Intake {
  const receiver = createAlertReceiver({
    database: deps.alertDatabase,
    newId: deps.newId,
    onStored: (touched) => afterAlerts(touched),
    onUnreadable: ({ owner, agentId }) =>
      deps.publisher.publish(owner, { topic: "signals", id: agentId }),
    onError: (error) => deps.log.error({ err: error }, "alert not stored"),
  });

  function afterAlerts(touched: TouchedAgent): void {
    const { agentId, hasOrders } = touched;
    deps.log.debug({ agentId, hasOrders }, "alerts evaluated");
    if (touched.hasOrders) deps.wake(agentId, touched.hasExits);
    if (touched.hasEntries) publishStale(deps.publisher, { ...touched, id: agentId }, ["order"]);
    else deps.publisher.publish(touched.owner, { topic: "signals", id: touched.agentId });
  }

  return {
    ...receiver,
    async receive(delivery) {
      const result = await receiver.receive(delivery);
      const { agentId, requestId } = delivery;
      const eventId = "eventId" in result ? result.eventId : undefined;
      deps.log.debug({ agentId, requestId, eventId, outcome: result.kind }, "alert received");
      return result;
    },
    setAutoTrade: (agentId, by, target) => setAutoTrade(deps, agentId, by, target),
    async endExits(agentId, by) {
      await endExitsForOwner(deps, agentId, by);
      deps.wake(agentId, false);
    },
    async closePosition(agentId, by, request) {
      await closePositionForOwner(deps, agentId, by, request);
      deps.wake(agentId, true);
    },
    positionsClosed: (agentId) => deps.wake(agentId, true),
  };
}

/**
 * Cancels the open exits of an agent on its owner's request: positions stay open, and a stopping agent turns off.
 *
 * Orders already sent may still fill. Throws `conflict` when the agent has no open exit.
 */
export async function endExitsForOwner(
  deps: Pick<TradingDeps, "db" | "clock" | "publisher">,
  agentId: AgentId,
  by: Actor,
): Promise<void> {
  const agent = found(await findAgent(deps.db, agentId));
  const atMs = deps.clock.now();
  const stale = await deps.db.transaction().execute(async (transaction) => {
    await lockLane(transaction, agentId);
    const exits = await listExits(transaction, [agentId]);
    const wasStopping = await moveAutoTrade(transaction, agentId, ["stopping"], "off", atMs);
    if (exits.length === 0 && !wasStopping) {
      throw new AppError("conflict", { message: "The agent is not closing anything." });
    }
    const planned = await listPlannedOrders(transaction, agentId);
    const change: Change = {
      atMs,
      endedExits: { ids: exits.map(({ id }) => id), state: "ended_by_owner" },
      denied: planned
        .filter(({ exitId }) => exitId !== null)
        .map(({ id }) => ({ id, reason: "exit_ended" })),
      stale: ["agent", "order"],
    };
    await applyChange(transaction, agentId, change);
    // The plan would ask for the same exit again: the owner keeps the position without it
    if (wasStopping || exits.some(({ askedBy }) => askedBy === "plan")) {
      await endPlanPosition(transaction, agentId, atMs);
    }
    await insertAudit(transaction, atMs, by, "exits_ended", agentId);
    return change.stale;
  });
  publishStale(deps.publisher, agent, stale);
}

/** An owner's request to close a position. */
interface CloseRequest {
  /** Side of the position as the owner sees it; the other side is never closed. */
  readonly side: Side;
  /** Made by the page for one click: the same request begins at most one exit. */
  readonly requestId: string;
  /** Percent of the position to close; absent: all of it. */
  readonly portion?: number | undefined;
}

const WHOLE = 100;

/**
 * Begins an exit of the agent's position, or of a part of it, which is tried until that is closed; auto-trade stays as it
 * is.
 *
 * Nothing is read from the chain, so that an exit is stored while no node answers. An exit that is already in progress
 * is joined: one of a part goes on until the whole position is closed. Throws `conflict` before the first deposit, while a
 * position of the other side is being closed, and for a part while another part is.
 */
export async function closePositionForOwner(
  deps: Pick<PlanningDeps, "db" | "clock" | "newId" | "publisher">,
  agentId: AgentId,
  by: Actor,
  { side, requestId, portion = WHOLE }: CloseRequest,
): Promise<void> {
  const atMs = deps.clock.now();
  const begun = await deps.db.transaction().execute(async (transaction) => {
    await lockLane(transaction, agentId);
    const record = found(await findAgent(transaction, agentId));
    if (record.subAccountId === null) {
      throw new AppError("conflict", { message: "The agent has no position yet." });
    }
    if (await wasExitRequested(transaction, agentId, requestId)) return null;
    const { marketId } = record;
    const exits = await listExits(transaction, [agentId]);
    const working = exits.find((exit) => exit.marketId === marketId);
    if (working !== undefined && working.side !== side) {
      throw new AppError("conflict", {
        message: `The agent is closing a ${working.side} position. Wait until it is closed.`,
      });
    }
    const part = portion < WHOLE ? { portion, goal: null } : null;
    if (part !== null && working !== undefined && working.part !== null) {
      throw new AppError("conflict", {
        message: "A part of the position is being closed. Wait until it is closed.",
      });
    }
    if (working !== undefined) {
      await joinExit(transaction, working.id, requestId);
      if (working.part === null) return null;
    } else {
      const change = beginExits(deps, { record }, [{ marketId, side }], {
        requestId,
        part,
      });
      await applyChange(transaction, agentId, change);
    }
    await insertAudit(transaction, atMs, by, "position_closed_by_owner", agentId, {
      marketId,
      side,
      ...(part !== null && { portion }),
    });
    return record;
  });
  if (begun !== null) publishStale(deps.publisher, begun, ["order", "agent"]);
}

type Caller = Actor & Pick<Session, "judgeAgain">;

interface SetAutoTradeDeps extends PlanningDeps {
  /** Wakes the agent's lane. */
  readonly wake: (agentId: AgentId, isExit: boolean) => void;
}

/**
 * Turns an agent's auto-trade on, with counters reset to zero, or off: new entries stop at once, open positions are
 * closed, then the agent is off.
 *
 * Throws `no_agent_found` before the first deposit. An agent whose positions cannot be read now is stopping, and its lane
 * closes them as soon as they can.
 */
export async function setAutoTrade(
  deps: SetAutoTradeDeps,
  agentId: AgentId,
  by: Caller,
  target: "on" | "off",
): Promise<void> {
  const agent = found(await findAgent(deps.db, agentId));
  if (target === "on") await turnOn(deps, agent, by);
  else await turnOff(deps, agent, by);
}

async function turnOn(deps: SetAutoTradeDeps, agent: AgentRecord, by: Caller): Promise<void> {
  if (agent.subAccountId === null) throw new AppError("no_agent_found");
  if (agent.multisig?.status === "deleting") throw new AppError("being_deleted");
  const atMs = deps.clock.now();
  const before = await deps.db.transaction().execute(async (transaction) => {
    await lockLane(transaction, agent.id);
    await by.judgeAgain?.(transaction);
    const status = await readAutoTrade(transaction, agent.id);
    if (!(await moveAutoTrade(transaction, agent.id, ["off"], "on", atMs))) return status;
    await resetCounters(transaction, agent.id);
    await clearFailures(transaction, agent.id, atMs);
    await lookAtPlanSoon(transaction, agent.id, atMs);
    await insertAudit(transaction, atMs, by, "auto_trade_turned_on", agent.id);
    return status;
  });
  if (before === "stopping") {
    throw new AppError("conflict", {
      message: "The agent is still stopping. Wait until its positions are closed.",
    });
  }
  if (before !== "off") return;
  await acceptPowers(deps.db, { agentId: agent.id, owner: agent.owner, atMs });
  publishAgent(deps, agent);
}

async function turnOff(deps: SetAutoTradeDeps, agent: AgentRecord, by: Actor): Promise<void> {
  await stopNewExposure(deps, agent, by);
  const progress = await continueStopping(deps, agent.id).catch((err: unknown) => {
    deps.log.warn({ err, agentId: agent.id }, "closing not planned: left to the lane");
    return "closing" as const;
  });
  if (progress === "closing") deps.wake(agent.id, true);
}

async function stopNewExposure(
  deps: SetAutoTradeDeps,
  agent: AgentRecord,
  by: Actor,
): Promise<void> {
  const atMs = deps.clock.now();
  const hasStopped = await deps.db.transaction().execute(async (transaction) => {
    await lockLane(transaction, agent.id);
    if (!(await moveAutoTrade(transaction, agent.id, ["on"], "stopping", atMs))) return false;
    const denied = (await listPlannedOrders(transaction, agent.id))
      .filter(({ signal }) => signal.startsWith("OPEN_"))
      .map(({ id }) => ({ id, reason: "stopping" as const }));
    await applyChange(transaction, agent.id, { atMs, denied, stale: [] });
    await insertAudit(transaction, atMs, by, "auto_trade_turned_off", agent.id);
    return true;
  });
  if (!hasStopped) return;
  publishStale(deps.publisher, agent, ["agent", "order"]);
}

function publishAgent(deps: SetAutoTradeDeps, agent: AgentRecord): void {
  deps.publisher.publish(agent.owner, { topic: "agent", id: agent.id });
  deps.publisher.publish(agent.owner, { topic: "signals", id: agent.id });
}
