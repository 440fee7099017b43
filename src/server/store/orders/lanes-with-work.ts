import type { Pool } from "pg";
import { type AgentId, type OwnerAddress, parseAgentId, parseOwner } from "../../../domain/ids.ts";
import type { Network } from "../../../domain/network.ts";
import { SENT_ORDER_STATES, statesBefore } from "../../../domain/order/order-states.ts";
import { stateList } from "./order-state-sql.ts";
import type { Unparsed } from "../postgres/db.ts";

/**
 * An agent whose lane has work, with its network and owner. `isExit`: part of the work closes something; `isSent`: an order
 * is at its venue.
 */
export interface AgentWithWork {
  readonly agentId: AgentId;
  readonly network: Network;
  readonly owner: OwnerAddress;
  readonly isExit: boolean;
  readonly isSent?: boolean;
}

const LANES_WITH_WORK = `
select agents.id as "agentId", agents.network, agents.owner, bool_or(work.closes) as "isExit",
  bool_or(work.is_sent) as "isSent"
from (
  select agent_id, signal like 'CLOSE_%' as closes, true as is_sent from orders
  where state in ${stateList(SENT_ORDER_STATES)}
  union all select agent_id, signal like 'CLOSE_%', false from orders
  where state in ${stateList(statesBefore("submit"))}
    and not exists (select from exits where exits.agent_id = orders.agent_id and state = 'working')
  union all select agent_id, true, false from exits where state = 'working' and next_attempt_at <= $1
  union all select agent_id, true, false from plan_positions where due_at <= $1
    and not exists (select from exits where exits.agent_id = plan_positions.agent_id and state = 'working')
) as work
join agents on agents.id = work.agent_id
group by agents.id`;

/** Returns the agents whose lanes have work now: orders, exits whose next attempt is due, or plans to look at. */
export async function listAgentsWithWork(
  pool: Pool,
  nowMs: number,
): Promise<readonly AgentWithWork[]> {
  const { rows } = await pool.query<Unparsed<AgentWithWork>>({
    name: "lanes-with-work",
    text: LANES_WITH_WORK,
    values: [new Date(nowMs)],
  });
  return rows.map(toAgentWithWork);
}

export const toAgentWithWork = (row: Unparsed<AgentWithWork>): AgentWithWork => ({
  ...row,
  agentId: parseAgentId(row.agentId),
  owner: parseOwner(row.owner),
});
