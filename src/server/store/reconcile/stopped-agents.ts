import { sql } from "kysely";
import type { Network } from "../../../domain/network.ts";
import { type AgentRecord, readAgents } from "../agents/agents.ts";
import { FLAGGED_SINCE } from "../custody/custody-notices.ts";
import type { Db } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";

/** An agent whose plan asks for a stop, or whose stop was told to be missing. */
export interface StoppedAgent {
  readonly agent: AgentRecord;
  /** Whether the owner keeps the position without the plan. */
  readonly isOver: boolean;
  readonly isFlagged: boolean;
}

/**
 * Returns the network's next agents after an id whose stops are looked for, by id. Of the rows that the trading process
 * writes none decides whether one is listed.
 */
export async function listStoppedAgents(
  db: Db,
  {
    network,
    after,
    most,
  }: { readonly network: Network; readonly after: string; readonly most: number },
): Promise<readonly StoppedAgent[]> {
  const rows = await on(db).rows<Omit<StoppedAgent, "agent"> & { readonly id: string }>`
    select agents.id, coalesce(is_over, false) as "isOver", flagged_at is not null as "isFlagged"
    from agents join multisigs on multisigs.agent_id = agents.id
    left join plan_positions on plan_positions.agent_id = agents.id
    left join lateral (${sql.raw(FLAGGED_SINCE("agents.id", "stop_missing"))}) as flag (flagged_at) on true
    where network = ${network} and agents.id > ${after}
      and (plan #> '{stop,at}' is not null or flagged_at is not null)
    order by agents.id limit ${most}`;
  const agents = await readAgents(db, sql`agents.id = any(${rows.map(({ id }) => id)})`);
  return rows.flatMap(({ id, ...row }) => {
    const agent = agents.find((each) => each.id === id);
    return agent === undefined ? [] : { ...row, agent };
  });
}
