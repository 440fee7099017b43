import { AppError, found } from "../../contract/errors.ts";
import type { AgentId, OwnerAddress } from "../../domain/ids.ts";
import { findAgent, lockLane } from "../store/agents/agents.ts";
import { insertAudit } from "../store/audit/audit.ts";
import { moveAutoTrade } from "../store/lanes/auto-trade.ts";
import type { Change } from "../store/orders/change.ts";
import { applyChange } from "../store/orders/commit-change.ts";
import { listExits } from "../store/orders/exits.ts";
import { endPlanPosition } from "../store/orders/plan-positions.ts";
import { listPlannedOrders } from "../store/orders/orders.ts";
import { publishStale } from "./orders/commit.ts";
import type { TradingDeps } from "./orders/order-context.ts";

/**
 * Cancels the open exits of an agent on its owner's request: positions stay open, and a stopping agent turns off.
 *
 * Orders already sent may still fill. Throws `conflict` when the agent has no open exit.
 */
export async function endExitsForOwner(
  deps: Pick<TradingDeps, "db" | "clock" | "publisher">,
  agentId: AgentId,
  wallet: OwnerAddress,
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
    await insertAudit(transaction, atMs, wallet, "exits_ended", agentId);
    return change.stale;
  });
  publishStale(deps.publisher, agent, stale);
}
