import type { AgentId } from "../../../domain/ids.ts";
import type { Position } from "../../../domain/position.ts";
import { inClass } from "../../networks.ts";
import { lockLane } from "../../store/agents/agents.ts";
import { moveAutoTrade, readAutoTrade } from "../../store/lanes/auto-trade.ts";
import { applyChange } from "../../store/orders/commit-change.ts";
import { listExits } from "../../store/orders/exits.ts";
import { hasOpenOrders } from "../../store/orders/orders.ts";
import type { Db } from "../../store/postgres/db.ts";
import { type BelieveDeps, readAccount } from "./believe-account.ts";
import { publishStale } from "./commit.ts";
import { beginExits } from "./exits.ts";
import { type PlanningDeps, type TradingAgent, findTradingAgent } from "./order-context.ts";

/** `closing`: open orders or exits have to end first. */
export type StopProgress = "off" | "closing" | "not_stopping";

/**
 * Advances a stopping agent: starts an exit of every open position, or turns the agent off once nothing is open.
 *
 * Throws `ChainUnavailableError` when the venue could not be read: the agent then stays stopping.
 */
export async function continueStopping(
  deps: PlanningDeps,
  agentId: AgentId,
): Promise<StopProgress> {
  const networks = inClass(deps.networks, "exit");
  const agent = await findTradingAgent({ ...deps, networks }, agentId);
  if (agent?.record.autoTrade !== "stopping") return "not_stopping";
  if (await isClosing(deps.db, agentId)) return "closing";
  const positions = await readPositions(deps, agent);
  const progress = await deps.db.transaction().execute(async (transaction) => {
    await lockLane(transaction, agentId);
    if ((await readAutoTrade(transaction, agentId)) !== "stopping") return "not_stopping";
    if (await isClosing(transaction, agentId)) return "closing";
    if (positions.length > 0) {
      await applyChange(transaction, agentId, beginExits(deps, agent, positions));
      return "closing";
    }
    await moveAutoTrade(transaction, agentId, ["stopping"], "off", deps.clock.now());
    return "off";
  });
  if (progress === "off") publishStale(deps.publisher, agent.record, ["agent"]);
  if (progress === "closing") publishStale(deps.publisher, agent.record, ["order"]);
  return progress;
}

const isClosing = async (db: Db, agentId: AgentId): Promise<boolean> =>
  (await hasOpenOrders(db, agentId)) || (await listExits(db, [agentId])).length > 0;

async function readPositions(
  deps: BelieveDeps,
  { record, runtime, account }: TradingAgent,
): Promise<readonly Position[]> {
  if (account === null) return [];
  if (runtime === null) throw new Error("The agent's network is not enabled");
  return (await readAccount(deps, { record, runtime, account })).positions;
}
