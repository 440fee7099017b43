import { sql } from "kysely";
import type { AgentId } from "../../../domain/ids.ts";
import { OPEN_ORDER_STATES } from "../../../domain/order/order-states.ts";
import type { Db, Unparsed } from "../postgres/db.ts";
import { type AgentWithWork, toAgentWithWork } from "../orders/lanes-with-work.ts";
import { stateList } from "../orders/order-state-sql.ts";
import { on } from "../postgres/on.ts";

export type AutoTrade = "on" | "stopping" | "off";

/** Returns an agent's auto-trade state. Null when the agent does not exist. */
export async function readAutoTrade(db: Db, agentId: AgentId): Promise<AutoTrade | null> {
  const row = await on(db).row<{ state: AutoTrade }>`
    select auto_trade as state from agents where id = ${agentId}`;
  return row?.state ?? null;
}

/** Whether an order closed a position while the agent was stopping and its owner cancelled no exit meanwhile. */
const CLOSED_BY_STOP = sql<boolean>`
  exists (
    select from trade_log left join orders on orders.id = trade_log.order_id
    where trade_log.agent_id = agents.id and status = 'success' and at >= stopping_since
      and (trade_log.signal like 'CLOSE_%' or (intent ->> 'reduceOnly')::boolean)
  ) and not exists (
    select from exits
    where exits.agent_id = agents.id and exits.state = 'ended_by_owner' and ended_at >= stopping_since
  )`;

/**
 * Changes an agent's auto-trade state, only from one of the given values. Returns whether it changed.
 *
 * An agent that is off after stopping records whether the stop closed a position.
 */
export async function moveAutoTrade(
  db: Db,
  agentId: AgentId,
  from: readonly AutoTrade[],
  to: AutoTrade,
  atMs: number,
): Promise<boolean> {
  const changed = await on(db).change`
    update agents set auto_trade = ${to}, updated_at = ${new Date(atMs)},
      stopping_since = ${to === "stopping" ? new Date(atMs) : null},
      closed_by_stop = ${to === "off" ? CLOSED_BY_STOP : false}
    where id = ${agentId} and auto_trade = any(${from})`;
  return changed === 1;
}

/** Returns stopping agents without an order or exit that would wake their lane: their positions are not known. */
export async function listIdleStops(db: Db): Promise<readonly AgentWithWork[]> {
  const rows = await on(db).rows<Unparsed<AgentWithWork>>`
    select id as "agentId", network, owner, true as "isExit" from agents where auto_trade = 'stopping'
      and not exists (select from exits where agent_id = agents.id and state = 'working')
      and not exists (select from orders where agent_id = agents.id
        and state in ${sql.raw(stateList(OPEN_ORDER_STATES))})`;
  return rows.map(toAgentWithWork);
}
