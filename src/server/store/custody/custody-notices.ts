import { sql } from "kysely";
import type { AgentId, OwnerAddress } from "../../../domain/ids.ts";
import { insertAudit } from "../audit/audit.ts";
import type { Db } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";

/** Audit action of external changes. */
const ACTION = "custody_flagged";

/** A change on chain that we did not make. `key` identifies the fact: the same fact is flagged once. */
export interface CustodyFlag {
  readonly agentId: AgentId;
  readonly owner: OwnerAddress;
  readonly key: string;
  readonly text: string;
  readonly atMs: number;
}

export interface CustodyNotice {
  readonly at: Date;
  readonly kind: string;
  readonly text: string;
}

/** Stores a flag unless the agent's newest flag of that kind has the same content. Returns whether it was new. */
export async function insertCustodyFlag(db: Db, kind: string, flag: CustodyFlag): Promise<boolean> {
  if (((await lastFlagKey(db, flag.agentId, kind)) ?? "") === flag.key) return false;
  return db.transaction().execute(async (tx) => {
    await on(tx).lock(`custody-flag:${flag.agentId}`);
    const last = await lastFlagKey(tx, flag.agentId, kind);
    if ((last ?? "") === flag.key) return false;
    await insertAudit(tx, flag.atMs, flag.owner, ACTION, flag.agentId, {
      kind,
      key: flag.key,
      text: flag.text,
    });
    return true;
  });
}

/** Clears the agent's flag of one kind; writes nothing when there is none. */
export const clearCustodyFlag = (
  db: Db,
  kind: string,
  flag: Pick<CustodyFlag, "agentId" | "owner" | "atMs">,
): Promise<boolean> => insertCustodyFlag(db, kind, { ...flag, key: "", text: "" });

/** Selects the key of an agent's newest flag of one kind, within a statement that asks more. */
export const LAST_FLAG_KEY = (agent: string, kind: string): string => `
  select detail ->> 'key' from audit_log
  where action = '${ACTION}' and object = ${agent} and detail ->> 'kind' = '${kind}'
  order by seq desc limit 1`;

/** Selects the time of an agent's flag of one kind that stands; null where none does. */
export const FLAGGED_SINCE = (agent: string, kind: string): string => `
  select case when detail ->> 'key' <> '' then at end from audit_log
  where action = '${ACTION}' and object = ${agent} and detail ->> 'kind' = '${kind}'
  order by seq desc limit 1`;

/** Returns the key of the newest flag of one kind, or null when there is none. */
export async function lastFlagKey(db: Db, agentId: AgentId, kind: string): Promise<string | null> {
  const row = await on(db).row<{ key: string }>`
    select detail ->> 'key' as key from audit_log
    where action = ${ACTION} and object = ${agentId} and detail ->> 'kind' = ${kind}
    order by seq desc limit 1`;
  return row?.key ?? null;
}

/**
 * Kinds that describe an event, which stays listed; all other kinds describe a state, of which only the newest flag
 * counts.
 */
const EVENTS = ["transaction", "plan", "foreign_trade", "unconfirmed", "stop_gap"];

/** Returns an agent's current flags, newest first. */
export async function listCustodyNotices(
  db: Db,
  agentId: AgentId,
  limit: number,
): Promise<readonly CustodyNotice[]> {
  return on(db).rows<CustodyNotice>`
    select at, detail->>'kind' as kind, detail->>'text' as text from audit_log
    where action = ${ACTION} and object = ${agentId} and detail->>'text' <> ''
      and (detail->>'kind' = any(${EVENTS}::text[]) or not exists (
        select from audit_log as later
        where later.action = ${ACTION} and later.object = ${agentId}
          and later.detail->>'kind' = audit_log.detail->>'kind' and later.seq > audit_log.seq))
    order by seq desc limit ${limit}`;
}

/** Returns those of the signatures that no order, custody transaction or earlier flag of the agent accounts for. */
export async function listUnknownSignatures(
  db: Db,
  agentId: AgentId,
  signatures: readonly string[],
): Promise<readonly string[]> {
  if (signatures.length === 0) return [];
  const rows = await on(db).rows<{ signature: string }>`
    select signature from unnest(${signatures}::text[]) as seen(signature)
    where not exists (select from orders where agent_id = ${agentId} and orders.signature = seen.signature)
      and not exists (select from order_transactions where order_transactions.signature = seen.signature)
      and not exists (select from order_fills where order_fills.signature = seen.signature)
      and not exists (
        select from custody_transactions
        where agent_id = ${agentId} and custody_transactions.signature = seen.signature)
      and not exists (
        select from audit_log
        where action = ${ACTION} and object = ${agentId} and detail->>'key' = seen.signature)`;
  const unknown = new Set(rows.map((row) => row.signature));
  return signatures.filter((signature) => unknown.has(signature));
}

/** Returns the signature of the owner's newest close made here that is not counted yet, or null. */
export async function findUncountedClosing(db: Db, agentId: AgentId): Promise<string | null> {
  const row = await on(db).row<{ signature: string }>`
    select signature from custody_transactions
    where agent_id = ${agentId} and intent = 'close-positions' and state = 'confirmed'
      and signature is not null
      and not exists (
        select from audit_log
        where action = ${ACTION} and object = ${agentId} and detail->>'kind' = 'upkeep'
          and detail->>'key' = signature)
      and not exists (
        select from trade_log
        where trade_log.agent_id = custody_transactions.agent_id
          and trade_log.signature = custody_transactions.signature)
    order by seq desc limit 1`;
  return row?.signature ?? null;
}

/**
 * Returns the net base units per market of all recorded fills of the agent, including the venue's own actions. Triggers
 * keep the sums, so that no look reads the whole log.
 */
export async function sumTradedBase(
  db: Db,
  agentId: AgentId,
): Promise<ReadonlyMap<string, bigint>> {
  const rows = await on(db).rows<{ market: string; net: string }>`
    select market, net from traded_base where agent_id = ${agentId}`;
  return new Map(rows.map(({ market, net }) => [market, BigInt(net)]));
}

/** Returns whether the lines of the agent's log come to what it holds in a market, without the fills that no line tells of. */
export const isLogged = (
  db: Db,
  agentId: AgentId,
  marketId: string,
  base: bigint,
): Promise<boolean> =>
  on(db).has`
    select from (select
        (select net from traded_base where agent_id = ${agentId} and market = ${marketId}) as net,
        (select sum(base) from upkeep_fills where agent_id = ${agentId} and market = ${marketId}) as counted
      ) as sums
    where coalesce(net, 0) - coalesce(counted, 0) = ${base.toString()}::numeric`;

/** Selects a revocation of the trading key made here, or begun, that the owner has not taken back since. */
export const REVOCATION = (agent: string): string => `
  select from custody_transactions as revocation
  where agent_id = ${agent} and intent = 'revoke' and (state = 'confirmed' or settled_at is null)
    and not exists (
      select from custody_transactions as given
      where given.agent_id = ${agent} and given.intent = 'set-up' and given.state = 'confirmed'
        and given.seq > revocation.seq)`;

/** Returns whether the owner revoked the trading key here, or is about to, and has not restored it since. */
export async function hasOwnerRevoked(db: Db, agentId: AgentId): Promise<boolean> {
  return on(db).has`
    select from agents where id = ${agentId} and exists (${sql.raw(REVOCATION("agents.id"))})`;
}
