import { AppError, found } from "../../contract/errors.ts";
import type { AgentId, OwnerAddress } from "../../domain/ids.ts";
import type { Session } from "../session.ts";
import { type AgentRecord, findAgent, lockLane } from "../store/agents/agents.ts";
import { insertAudit } from "../store/audit/audit.ts";
import { moveAutoTrade, readAutoTrade } from "../store/lanes/auto-trade.ts";
import { acceptPowers } from "../store/reconcile/foreign-powers.ts";
import { resetCounters } from "../store/alerts/counters.ts";
import { clearFailures } from "../store/lanes/lanes.ts";
import { applyChange } from "../store/orders/commit-change.ts";
import { lookAtPlanSoon } from "../store/orders/plan-positions.ts";
import { listPlannedOrders } from "../store/orders/orders.ts";
import { publishStale } from "./orders/commit.ts";
import { continueStopping } from "./orders/continue-stopping.ts";
import type { PlanningDeps } from "./orders/order-context.ts";

type Caller = Pick<Session, "wallet" | "judgeAgain">;

export interface SetAutoTradeDeps extends PlanningDeps {
  /** Wakes the agent's lane. */
  readonly wake: (agentId: AgentId, isExit: boolean) => void;
}

/**
 * Turns an agent's auto-trade on, with counters reset to zero, or off: new entries stop at once, open positions are
 * closed, then the agent is off.
 *
 * Throws `no_agent_found` before the first deposit and `auto_trade_disable_failed` when the close could not be planned;
 * the agent then stays stopping and the same call retries.
 */
export async function setAutoTrade(
  deps: SetAutoTradeDeps,
  agentId: AgentId,
  by: Caller,
  target: "on" | "off",
): Promise<void> {
  const agent = found(await findAgent(deps.db, agentId));
  if (target === "on") await turnOn(deps, agent, by);
  else await turnOff(deps, agent, by.wallet);
}

async function turnOn(
  deps: SetAutoTradeDeps,
  agent: AgentRecord,
  { wallet, judgeAgain }: Caller,
): Promise<void> {
  if (agent.subAccountId === null) throw new AppError("no_agent_found");
  if (agent.multisig?.status === "deleting") throw new AppError("being_deleted");
  const atMs = deps.clock.now();
  const before = await deps.db.transaction().execute(async (transaction) => {
    await lockLane(transaction, agent.id);
    await judgeAgain?.(transaction);
    const status = await readAutoTrade(transaction, agent.id);
    if (!(await moveAutoTrade(transaction, agent.id, ["off"], "on", atMs))) return status;
    await resetCounters(transaction, agent.id);
    await clearFailures(transaction, agent.id, atMs);
    await lookAtPlanSoon(transaction, agent.id, atMs);
    await insertAudit(transaction, atMs, wallet, "auto_trade_turned_on", agent.id);
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

async function turnOff(
  deps: SetAutoTradeDeps,
  agent: AgentRecord,
  wallet: OwnerAddress,
): Promise<void> {
  await stopNewExposure(deps, agent, wallet);
  try {
    const progress = await continueStopping(deps, agent.id);
    if (progress === "closing") deps.wake(agent.id, true);
  } catch (cause) {
    deps.log.warn({ err: cause, agentId: agent.id }, "closing not planned");
    throw new AppError("auto_trade_disable_failed", {
      message:
        "Failed to disable auto-trade: the open positions could not be read. Auto-trade remains on.",
      cause,
    });
  }
}

async function stopNewExposure(
  deps: SetAutoTradeDeps,
  agent: AgentRecord,
  wallet: OwnerAddress,
): Promise<void> {
  const atMs = deps.clock.now();
  const hasStopped = await deps.db.transaction().execute(async (transaction) => {
    await lockLane(transaction, agent.id);
    if (!(await moveAutoTrade(transaction, agent.id, ["on"], "stopping", atMs))) return false;
    const denied = (await listPlannedOrders(transaction, agent.id))
      .filter(({ signal }) => signal.startsWith("OPEN_"))
      .map(({ id }) => ({ id, reason: "stopping" as const }));
    await applyChange(transaction, agent.id, { atMs, denied, stale: [] });
    await insertAudit(transaction, atMs, wallet, "auto_trade_turned_off", agent.id);
    return true;
  });
  if (!hasStopped) return;
  publishStale(deps.publisher, agent, ["agent", "order"]);
}

function publishAgent(deps: SetAutoTradeDeps, agent: AgentRecord): void {
  deps.publisher.publish(agent.owner, { topic: "agent", id: agent.id });
  deps.publisher.publish(agent.owner, { topic: "signals", id: agent.id });
}
