import { AppError } from "../../contract/errors.ts";
import type { AgentRecord } from "../store/agents/agents.ts";
import { hasKeptPosition } from "../store/orders/exits.ts";
import { hasOpenOrders } from "../store/orders/orders.ts";
import { readAccount } from "../trading/orders/read-account.ts";
import { toTradingAgent } from "../trading/orders/trading-agent.ts";
import type { AgentDeps } from "./agent-deps.ts";

/**
 * Refuses to move an agent away from an asset it holds or has an order for: its alerts could no longer close that
 * position.
 *
 * Queries the chain, and therefore runs before the transaction of the save. An agent that is off holds only positions
 * whose exit its owner cancelled.
 */
export async function refuseLeavingPosition(
  deps: Pick<AgentDeps, "db" | "networks">,
  agent: AgentRecord | null,
  marketId: string,
): Promise<void> {
  if (agent === null || agent.marketId === marketId) return;
  if (agent.autoTrade === "off" && !(await hasKeptPosition(deps.db, agent.id))) return;
  const { place, account } = toTradingAgent(deps.networks, agent);
  if (place === null || account === null) return;
  const isOpen = await hasOpenOrders(deps.db, agent.id);
  const { positions } = await readAccount(deps.db, agent.id, place.venue, account).catch(
    (cause: unknown) => {
      throw new AppError("unavailable", { cause });
    },
  );
  if (!isOpen && positions.every((held) => held.marketId !== agent.marketId)) return;
  throw new AppError("conflict", {
    message: `The agent trades ${agent.marketId} at the moment. Stop it, which closes the position, before you change its asset: its alerts would no longer close it.`,
  });
}
