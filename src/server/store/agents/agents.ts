import { type RawBuilder, type Selectable, sql } from "kysely";
import type { Pool } from "pg";
import {
  type AgentId,
  type ChatId,
  type OwnerAddress,
  parseAgentId,
  parseChatId,
  parseOwner,
} from "../../../domain/ids.ts";
import type { Network } from "../../../domain/network.ts";
import { type OwnerLimits, toOwnerLimits } from "../../../domain/owner-limits.ts";
import type { Plan } from "../../../domain/plan/plan.ts";
import type { Db, Unparsed } from "../postgres/db.ts";
import { deleteRows, on } from "../postgres/on.ts";
import type { AgentTable, MultisigTable } from "../postgres/tables.ts";
import { parseVenueId, type VenueId } from "../../../domain/venue-id.ts";

/** An agent as stored, with its custody. */
export interface AgentRecord {
  readonly id: AgentId;
  readonly chatId: ChatId;
  readonly owner: OwnerAddress;
  readonly network: Network;
  /** Null for a venue that no longer exists. */
  readonly venue: VenueId | null;
  readonly name: string;
  readonly marketId: string;
  readonly interval: string;
  readonly slippageBps: number;
  readonly positionSizePercent: number;
  readonly maxSignalAgeSeconds: number;
  readonly autoTrade: "on" | "stopping" | "off";
  /** For an agent that is off: whether the stop closed a position. */
  readonly closedByStop: boolean;
  readonly limits: OwnerLimits;
  readonly plan: Plan | null;
  /** 1 to 5; above 1 only with a stop in the plan. */
  readonly leverage: number;
  readonly hypothesisStatus: "on" | "off";
  readonly buyReportPrompt: string;
  readonly sellReportPrompt: string;
  readonly subAccountId: number | null;
  readonly multisig: MultisigRecord | null;
  /** Time of the last change to the agent, its alerts or its rules; strictly increasing. */
  readonly updatedAt: Date;
}

/**
 * An agent's custody as recorded: `planned` before the owner signed, `active` after it was read back from the chain,
 * `deleting` from the first landed transaction of its deletion, `closed` once nothing is reachable through it.
 */
export interface MultisigRecord {
  readonly agentId: AgentId;
  readonly multisig: string;
  readonly vault: string;
  readonly vaultIndex: number;
  readonly createKey: string;
  readonly tradingKey: string;
  readonly members: readonly string[];
  readonly threshold: number;
  readonly status: "planned" | "active" | "deleting" | "closed";
  readonly hasTradingKey: boolean;
  /** Number of the venue's account, incremented with every deletion of the account. */
  readonly subAccountId: number;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  /** Time at which the operator revoked the trading key; null when it is valid. */
  readonly keyRevokedAt: Date | null;
  /** Market the trading key was last seen authorised for; null before. */
  readonly limitsMarketId: string | null;
}

/** A row that passed through JSON: times inside are text. */
export type Jsonb<T> = {
  readonly [K in keyof T]: Extract<T[K], Date> extends never ? T[K] : string;
};

/** Columns of an agent with its custody, joined as `agents` and `multisigs`. */
export const AGENT_COLUMNS = "to_jsonb(agents) as agent, to_jsonb(multisigs) as multisig";

export interface AgentJson {
  readonly agent: Jsonb<Selectable<AgentTable>>;
  readonly multisig: Jsonb<Selectable<MultisigTable>> | null;
}

const SELECT_AGENTS = `
  select ${AGENT_COLUMNS} from agents left join multisigs on multisigs.agent_id = agents.id`;

/** Returns the agents of a condition, oldest first. */
export async function readAgents(db: Db, condition: RawBuilder<unknown>): Promise<AgentRecord[]> {
  const rows = await on(db).rows<AgentJson>`
    ${sql.raw(SELECT_AGENTS)} where ${condition} order by agents.created_at, agents.id`;
  return rows.map(toAgent);
}

export async function findAgent(db: Db, id: AgentId): Promise<AgentRecord | null> {
  return (await readAgents(db, sql`agents.id = ${id}`))[0] ?? null;
}

export async function findAgentOfChat(db: Db, chatId: ChatId): Promise<AgentRecord | null> {
  return (await readAgents(db, sql`agents.chat_id = ${chatId}`))[0] ?? null;
}

export async function listAgentsOf(db: Db, owner: OwnerAddress): Promise<AgentRecord[]> {
  return readAgents(db, sql`agents.owner = ${owner}`);
}

/** Returns what a wallet has done once: the book and the audit log keep it when the agent is gone. */
export async function readFirstSteps(db: Db, owner: OwnerAddress) {
  const row = await on(db).row<{
    hasMadeAgent: boolean;
    hasDeposited: boolean;
    hasHeard: boolean;
  }>`
    with present as (select id, sub_account_id from agents where owner = ${owner}),
      known as (select id::text as known_id from present union
        select object from audit_log where wallet = ${owner} and action = 'agent_deleted'),
      booked as (select
        exists (select from ledger_entries join known on agent_id = known_id
          where kind in ('deposit', 'opening')) as has_held,
        exists (select from ledger_entries join known on agent_id = known_id
          where kind = 'trade') as has_traded)
    select has_held or exists (select from present) as "hasMadeAgent",
      has_held or exists (select from present where sub_account_id is not null) as "hasDeposited",
      has_traded or exists (
        select from alert_events as event join present on event.agent_id = present.id::uuid
        where event.outcome <> 'refused'
      ) as "hasHeard"
    from booked`;
  return row ?? { hasMadeAgent: false, hasDeposited: false, hasHeard: false };
}

/** Returns the record of an agent. */
export const toAgent = ({ agent, multisig }: AgentJson): AgentRecord => ({
  id: parseAgentId(agent.id),
  chatId: parseChatId(agent.chat_id),
  owner: parseOwner(agent.owner),
  network: agent.network,
  venue: parseVenueId(agent.venue),
  name: agent.name,
  marketId: agent.market_id,
  interval: agent.interval,
  slippageBps: agent.slippage_bps,
  positionSizePercent: agent.position_size_percent,
  maxSignalAgeSeconds: agent.max_signal_age_seconds,
  autoTrade: agent.auto_trade,
  closedByStop: agent.closed_by_stop,
  limits: toOwnerLimits(agent.owner_limits as Partial<OwnerLimits>),
  plan: agent.plan,
  leverage: agent.leverage,
  hypothesisStatus: agent.hypothesis_status,
  buyReportPrompt: agent.buy_report_prompt,
  sellReportPrompt: agent.sell_report_prompt,
  subAccountId: agent.sub_account_id,
  multisig: multisig === null ? null : toMultisig(multisig),
  updatedAt: new Date(agent.updated_at),
});

const toMultisig = (row: Jsonb<Selectable<MultisigTable>>): MultisigRecord => ({
  agentId: parseAgentId(row.agent_id),
  multisig: row.multisig,
  vault: row.vault,
  vaultIndex: row.vault_index,
  createKey: row.create_key,
  tradingKey: row.delegate,
  members: row.members,
  threshold: row.threshold,
  status: row.status,
  hasTradingKey: row.delegated,
  subAccountId: row.sub_account_id,
  createdAt: new Date(row.created_at),
  lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at),
  keyRevokedAt: row.key_revoked_at === null ? null : new Date(row.key_revoked_at),
  limitsMarketId: row.limits_market_id,
});

/** Fields written by a save; an undefined field keeps its value. */
export interface AgentChanges {
  readonly network?: Network | undefined;
  readonly venue?: VenueId | undefined;
  readonly name?: string | undefined;
  readonly nameKey?: string | undefined;
  readonly marketId?: string | undefined;
  readonly interval?: string | undefined;
  readonly slippageBps?: number | undefined;
  readonly positionSizePercent?: number | undefined;
  readonly maxSignalAgeSeconds?: number | undefined;
  /** Null removes the plan. */
  readonly plan?: Plan | null | undefined;
  readonly leverage?: number | undefined;
  readonly hypothesisStatus?: "on" | "off" | undefined;
  readonly buyReportPrompt?: string | undefined;
  readonly sellReportPrompt?: string | undefined;
}

type Required<T, K extends keyof T> = T & { readonly [P in K]-?: Exclude<T[P], undefined> };

export type NewAgent = Required<
  AgentChanges,
  "network" | "venue" | "name" | "nameKey" | "marketId" | "interval" | "slippageBps"
> & { readonly id: AgentId; readonly chatId: ChatId; readonly owner: OwnerAddress };

/** Inserts an agent with its lane; returns false when its owner already has an agent of that name. */
export async function insertAgent(db: Db, agent: NewAgent, now: number): Promise<boolean> {
  const at = new Date(now);
  const fields = [
    ...fieldsOf(agent),
    ...Object.entries({ id: agent.id, chat_id: agent.chatId, owner: agent.owner }),
    ...Object.entries({ created_at: at, updated_at: at }),
  ];
  const inserted = await on(db).change`
    insert into agents (${sql.join(fields.map(([name]) => sql.ref(name)))})
    values (${sql.join(fields.map(([, value]) => value))})
    on conflict (owner, name_key) do nothing`;
  if (inserted === 0) return false;
  await on(db).change`insert into lanes (agent_id) values (${agent.id})`;
  return true;
}

/** Updates the given fields; returns false when another agent of the same owner has the name. */
export async function updateAgent(
  db: Db,
  id: AgentId,
  changes: AgentChanges,
  now: number,
): Promise<boolean> {
  const fields = fieldsOf(changes).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  const updated = await on(db).change`
    update agents set ${sql.join([...fields, sql`updated_at = ${laterThanBefore(now)}`])}
    where id = ${id} and not exists (
      select from agents as other
      where other.owner = agents.owner and other.name_key = ${changes.nameKey ?? null} and other.id <> ${id})`;
  return updated > 0;
}

/** Returns a time later than the row's last change, even within one millisecond or after a clock that was set back. */
export const laterThanBefore = (now: number) =>
  sql<Date>`greatest(${new Date(now)}::timestamptz, agents.updated_at + interval '1 millisecond')`;

/** Marks the agent as changed, for changes to its alerts and rules. */
export async function touchAgent(db: Db, id: AgentId, now: number): Promise<void> {
  await on(db).change`update agents set updated_at = ${laterThanBefore(now)} where id = ${id}`;
}

/** Returns the column's text; SQL null for none. */
const jsonOf = (plan: Plan | null) => (plan === null ? null : JSON.stringify(plan));

/** Columns of the given fields with their values. */
const fieldsOf = (changes: AgentChanges): [column: string, value: unknown][] =>
  Object.entries({
    network: changes.network,
    venue: changes.venue,
    name: changes.name,
    name_key: changes.nameKey,
    market_id: changes.marketId,
    interval: changes.interval,
    slippage_bps: changes.slippageBps,
    position_size_percent: changes.positionSizePercent,
    max_signal_age_seconds: changes.maxSignalAgeSeconds,
    plan: changes.plan === undefined ? undefined : jsonOf(changes.plan),
    leverage: changes.leverage,
    hypothesis_status: changes.hypothesisStatus,
    buy_report_prompt: changes.buyReportPrompt,
    sell_report_prompt: changes.sellReportPrompt,
  }).filter(([, value]) => value !== undefined);

/** An agent's network and owner. */
export interface LaneOwner {
  readonly network: Network;
  readonly owner: OwnerAddress;
}

/** Returns the agent's network and owner, or null when it does not exist. */
export async function readLaneOwner(pool: Pool, agentId: AgentId): Promise<LaneOwner | null> {
  const { rows } = await pool.query<Unparsed<LaneOwner>>({
    name: "owner-of-lane",
    text: "select network, owner from agents where id = $1",
    values: [agentId],
  });
  const [row] = rows;
  return row === undefined ? null : { ...row, owner: parseOwner(row.owner) };
}

/**
 * Locks the agent's lane: until the transaction ends no alert is counted and no other save runs. What others remember of
 * the agent stands no longer.
 */
export async function lockLane(db: Db, agentId: AgentId): Promise<boolean> {
  return on(db).has`
    update lanes set version = version + 1 where agent_id = ${agentId} returning agent_id`;
}

/** Deletes the agent and every record that belongs to it. */
export async function deleteAgentRow(db: Db, id: AgentId): Promise<void> {
  await deleteRows(db, "agents", [id]);
}

/** Returns the slot the agent's newest order landed in; 0 before the first. */
export async function readLandedSlot(db: Db, agentId: AgentId): Promise<bigint> {
  return (await readLandedSlots(db, [agentId])).get(agentId) ?? 0n;
}

/** Returns the same of many agents; none of those without a lane. */
export async function readLandedSlots(
  db: Db,
  agentIds: readonly AgentId[],
): Promise<ReadonlyMap<AgentId, bigint>> {
  const rows = await on(db).rows<{ agentId: string; slot: string }>`
    select agent_id as "agentId", landed_slot as slot from lanes where agent_id = any (${[...agentIds]})`;
  return new Map(rows.map(({ agentId, slot }) => [parseAgentId(agentId), BigInt(slot)]));
}
