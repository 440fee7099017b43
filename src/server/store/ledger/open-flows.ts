import { sql } from "kysely";
import { type AgentId, parseAgentId } from "../../../domain/ids.ts";
import type { Db } from "../postgres/db.ts";
import { IS_UNBOOKED } from "./pending-writes.ts";

/**
 * Returns those of some agents with money on its way in or out: a transaction of the owner that was sent or that landed
 * after the ledger last looked, or a flow that landed and is not booked yet.
 */
export async function findOpenFlows(
  db: Db,
  agentIds: readonly AgentId[],
): Promise<ReadonlySet<AgentId>> {
  const { rows } = await sql<{ agent_id: string }>`
    select asked.agent_id from unnest(${agentIds}::text[]) as asked (agent_id)
    left join ledger_marks as mark using (agent_id)
    where exists (
      select from custody_transactions as owners where owners.agent_id = asked.agent_id
        and (owners.state = 'sent'
          or owners.state = 'confirmed' and owners.settled_at >= coalesce(mark.searched_at, '-infinity')
            and not exists (
              select from ledger_entries as booked
              where booked.agent_id = owners.agent_id and booked.signature = owners.signature))
    ) or exists (
      select from pending_entries as pending
      where pending.agent_id = asked.agent_id and kind in ('deposit', 'withdrawal', 'external') and ${IS_UNBOOKED}
    )`.execute(db);
  return new Set(rows.map(({ agent_id }) => parseAgentId(agent_id)));
}
