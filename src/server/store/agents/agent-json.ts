import type { Selectable } from "kysely";
import type { Pool } from "pg";
import type { AgentId } from "../../../domain/ids.ts";
import type { AgentTable, MultisigTable } from "../schema/agent-tables.ts";
import { type AgentRecord, toAgentRecord } from "./agents.ts";

/** A row that passed through JSON: times inside are text. */
export type Jsonb<T> = {
  readonly [K in keyof T]: Extract<T[K], Date> extends never ? T[K] : string;
};

/** Columns of an agent with its custody, in a statement that also answers other rows. */
export const AGENT_COLUMNS = "to_jsonb(agents) as agent, to_jsonb(multisigs) as multisig";

export interface AgentJson {
  readonly agent: Jsonb<Selectable<AgentTable>>;
  readonly multisig: Jsonb<Selectable<MultisigTable>> | null;
}

export const toAgent = ({ agent, multisig }: AgentJson): AgentRecord =>
  toAgentRecord(
    { ...agent, updated_at: new Date(agent.updated_at) },
    multisig === null ? undefined : withDates(multisig),
  );

const withDates = (row: Jsonb<Selectable<MultisigTable>>): Selectable<MultisigTable> => ({
  ...row,
  created_at: new Date(row.created_at),
  last_used_at: row.last_used_at === null ? null : new Date(row.last_used_at),
  key_revoked_at: row.key_revoked_at === null ? null : new Date(row.key_revoked_at),
});

const ONE_AGENT = `
select ${AGENT_COLUMNS} from agents left join multisigs on multisigs.agent_id = agents.id
where agents.id = $1`;

/** Returns an agent with its custody by one prepared statement: the signer reads it for every signature. */
export async function readAgent(pool: Pool, id: AgentId): Promise<AgentRecord | null> {
  const { rows } = await pool.query<AgentJson>({
    name: "agent",
    text: ONE_AGENT,
    values: [id],
  });
  return rows[0] === undefined ? null : toAgent(rows[0]);
}
