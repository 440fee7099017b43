import { type AgentId, type OwnerAddress, parseOwner } from "../../../domain/ids.ts";
import type { Db, Unparsed } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";

/** Facts of an audit entry. Never tokens, keys or message texts. */
export type AuditDetail = Readonly<Record<string, unknown>>;

/**
 * Appends an audit entry: the action in past-tense snake case, for instance `agent_created`, and the id of the changed
 * object. The database refuses to change or delete these rows, and entries that are another process's.
 */
export async function insertAudit(
  db: Db,
  atMs: number,
  wallet: OwnerAddress | null,
  action: string,
  object: string | null = null,
  detail?: AuditDetail,
): Promise<void> {
  await on(db).rows`
    select append_audit(${new Date(atMs)}, ${wallet}, ${action}, ${object},
      ${detail === undefined ? null : JSON.stringify(detail)})`;
}

export interface AuditRow {
  readonly seq: string;
  readonly at: Date;
  readonly wallet: OwnerAddress | null;
  readonly action: string;
  readonly detail: AuditDetail | null;
}

/**
 * Returns the audit entries of an agent and its custody from before the one numbered `before`, newest first, without
 * internal bookkeeping entries.
 */
export async function listAgentAudit(
  db: Db,
  agentId: AgentId,
  before: string | null,
  limit: number,
): Promise<readonly AuditRow[]> {
  const rows = await on(db).rows<Unparsed<AuditRow>>`
    select seq::text, at, wallet, action, detail from audit_log
    where object = any(array(
        select id from custody_transactions where agent_id = ${agentId} union all select ${agentId}))
      and not (action = 'custody_flagged' and detail->>'text' = '')
      and (${before}::bigint is null or audit_log.seq < ${before}::bigint)
    order by audit_log.seq desc limit ${limit}`;
  return rows.map((row) => ({
    ...row,
    wallet: row.wallet === null ? null : parseOwner(row.wallet),
  }));
}
