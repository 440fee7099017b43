import { AppError } from "../../contract/errors.ts";
import type { AgentRecord } from "../store/agents/agents.ts";
import { hasOpenOrders, readLastSent } from "../store/orders/orders.ts";
import type { Db } from "../store/postgres/db.ts";
import { readAccount } from "../trading/orders/believe-account.ts";
import { toTradingAgent } from "../trading/orders/order-context.ts";
import type { AgentDeps } from "./agent-deps.ts";

/** An agent found to hold nothing of its asset. */
export interface LeavableAsset {
  readonly marketId: string;
  /** Number of the order it had sent last. */
  readonly lastSent: string | null;
}

/**
 * Refuses to move an agent away from an asset it holds or has an order for: its alerts could no longer close that
 * position. Returns null for an agent that keeps its asset.
 *
 * Queries the chain, and therefore runs before the transaction of the save, which has to call `requireLeavable`. An
 * agent that is off is looked at as well: its owner may have taken the trading key away, or cancelled an exit, and kept
 * the position.
 */
export async function refuseLeavingPosition(
  deps: Pick<AgentDeps, "db" | "networks" | "clock">,
  agent: AgentRecord | null,
  marketId: string,
): Promise<LeavableAsset | null> {
  if (agent === null || agent.marketId === marketId) return null;
  const leavable = { marketId: agent.marketId, lastSent: await readLastSent(deps.db, agent.id) };
  const { place, account } = toTradingAgent(deps.networks, agent);
  if (account === null) return leavable;
  if (place === null) throw outOfSight(agent);
  const isOpen = await hasOpenOrders(deps.db, agent.id);
  const { positions } = await readAccount(deps, { record: agent, place, account }).catch(
    (cause: unknown) => {
      throw new AppError("unavailable", { cause });
    },
  );
  if (isOpen || positions.some((held) => held.marketId === agent.marketId)) throw inUse(agent);
  return leavable;
}

/** Refuses the same where the agent got an order after it was looked at. The caller holds its lane's lock. */
export async function requireLeavable(
  transaction: Db,
  agent: AgentRecord,
  marketId: string,
  leavable: LeavableAsset | null,
): Promise<void> {
  if (agent.marketId === marketId) return;
  const isLookedAt =
    leavable !== null &&
    leavable.marketId === agent.marketId &&
    leavable.lastSent === (await readLastSent(transaction, agent.id));
  if (!isLookedAt || (await hasOpenOrders(transaction, agent.id))) throw inUse(agent);
}

const outOfSight = ({ marketId, network }: AgentRecord) =>
  new AppError("network_disabled", {
    message: `Trading on ${network} is not enabled here, so nobody can see whether the agent still holds ${marketId}. Its asset can be changed once it is.`,
  });

function inUse({ marketId, autoTrade }: AgentRecord): AppError {
  const what =
    autoTrade === "off"
      ? `The agent still holds ${marketId}. Close the position`
      : `The agent trades ${marketId} at the moment. Stop it, which closes the position,`;
  return new AppError("conflict", {
    message: `${what} before you change its asset: its alerts would no longer close it.`,
  });
}
