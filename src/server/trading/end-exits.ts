import { AppError } from "../../contract/errors.ts";
import type { AgentId, OwnerAddress } from "../../domain/ids.ts";
import { findAgent, lockLane } from "../store/agents/agents.ts";
import { insertAudit } from "../store/audit/audit.ts";
import { moveAutoTrade } from "../store/lanes/auto-trade.ts";
import { endExits } from "../store/orders/exits.ts";
import { denyPlanned } from "../store/orders/orders.ts";
import { updateTradeLogOfOrder } from "../store/trade-log/trade-log-writes.ts";
import { publishTrading } from "./orders/exits.ts";
import { publishOrderChange } from "./orders/publish-order-change.ts";
import type { TradingDeps } from "./orders/trading-deps.ts";

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
  const agent = await findAgent(deps.db, agentId);
  if (agent === null) throw new AppError("not_found");
  const atMs = deps.clock.now();
  const reason = "exit_ended";
  await deps.db.transaction().execute(async (transaction) => {
    await lockLane(transaction, agentId);
    const ended = await endExits(transaction, agentId, "ended_by_owner", atMs);
    const wasStopping = await moveAutoTrade(transaction, agentId, ["stopping"], "off", atMs);
    if (ended === 0 && !wasStopping) {
      throw new AppError("conflict", { message: "The agent is not closing anything." });
    }
    for (const id of await denyPlanned(transaction, agentId, "exits", {
      reason,
      atMs,
    })) {
      await updateTradeLogOfOrder(transaction, id, { status: "failed", reason, atMs });
    }
    await insertAudit(transaction, { at: atMs, wallet, action: "exits_ended", object: agentId });
  });
  publishTrading(deps, agent);
  publishOrderChange(deps, agent);
}
