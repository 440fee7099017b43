import type { ChangeOfSession } from "../../../contract/auth.ts";
import { type AgentId, type OwnerAddress, parseOwner } from "../../../domain/ids.ts";
import type { Db, Unparsed } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";

/** Facts of an audit entry. Never tokens, keys or message texts. */
export type AuditDetail = Readonly<Record<string, unknown>>;

/** Who makes a change: a wallet's session or token by its id, or a wallet of which no session is known. */
export type Actor = { readonly id?: string; readonly wallet: OwnerAddress };

/**
 * Appends an audit entry: the action in past-tense snake case, for instance `agent_created`, and the id of the changed
 * object. The database refuses to change or delete these rows, and entries that are another process's.
 */
export async function insertAudit(
  db: Db,
  atMs: number,
  by: Actor | OwnerAddress | null,
  action: string,
  object: string | null = null,
  detail?: AuditDetail,
): Promise<void> {
  const { id = null, wallet } = typeof by === "string" || by === null ? { wallet: by } : by;
  await on(db).rows`
    select append_audit(${new Date(atMs)}, ${wallet}, ${action}, ${object},
      ${detail === undefined ? null : JSON.stringify(detail)}, ${id})`;
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

/**
 * Returns what a wallet's sessions and tokens changed since a time, ended ones too. The current session's is last; what is
 * of no agent and of old agents first, so that nobody pushes it off the list by making agents.
 */
export async function listChangesBySession(
  db: Db,
  { id, wallet }: Required<Actor>,
  { since, limit }: { readonly since: Date; readonly limit: number },
): Promise<ChangeOfSession[]> {
  type Row = Omit<ChangeOfSession, "since" | "fields" | "at"> &
    Readonly<{ since: Date | null; fields: readonly string[][]; at: Date }>;
  const rows = await on(db).rows<Row>`
    select token.id is not null as "isAssistant", coalesce(browser, token.name) as name,
      coalesce(sessions.created_at, token.created_at) as since, log.session = ${id} as "isCurrent", action as what,
      agents.name as subject, detail ->> 'intent' as intent,
      coalesce(jsonb_agg(distinct detail -> 'fields') filter (where detail ? 'fields'), '[]') as fields,
      count(*)::integer as times, max(log.at) as at
    from audit_log as log left join sessions on sessions.id = log.session and sessions.wallet = log.wallet
      left join read_tokens as token on token.id = log.session and token.wallet = log.wallet
      left join agents on agents.id = log.object and agents.owner = log.wallet
    where log.wallet = ${wallet} and log.session is not null and log.at > ${since}
    group by log.session, sessions.id, token.id, action, agents.id, detail ->> 'intent'
    order by log.session = ${id}, agents.created_at nulls first, max(log.seq) desc limit ${limit}`;
  return rows.map(({ since, fields, at, ...row }) => ({
    ...row,
    since: since?.toISOString() ?? null,
    fields: [...new Set(fields.flat())],
    at: at.toISOString(),
  }));
}
