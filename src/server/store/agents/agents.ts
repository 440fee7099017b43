import { type Selectable, sql } from "kysely";
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
import type { Db } from "../postgres/db.ts";
import { toMultisigRecord, type MultisigRecord } from "./multisig-record.ts";
import type { AgentTable, MultisigTable } from "../schema/agent-tables.ts";
import { parseVenueId, type VenueId } from "../../../domain/venue-id.ts";
import type { Unparsed } from "../postgres/unparsed.ts";

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
  readonly hypothesisStatus: "on" | "off";
  readonly buyReportPrompt: string;
  readonly sellReportPrompt: string;
  readonly subAccountId: number | null;
  readonly webhookTokenVersion: number;
  readonly multisig: MultisigRecord | null;
  /** Time of the last change to the agent, its alerts or its rules; strictly increasing. */
  readonly updatedAt: Date;
}

type AgentColumn = "agents.id" | "agents.chat_id" | "agents.owner";

export async function findAgent(db: Db, id: AgentId): Promise<AgentRecord | null> {
  return (await readAgents(db, "agents.id", id))[0] ?? null;
}

export async function findAgentOfChat(db: Db, chatId: ChatId): Promise<AgentRecord | null> {
  return (await readAgents(db, "agents.chat_id", chatId))[0] ?? null;
}

export async function listAgentsOf(db: Db, owner: OwnerAddress): Promise<AgentRecord[]> {
  return readAgents(db, "agents.owner", owner);
}

async function readAgents(db: Db, column: AgentColumn, value: string): Promise<AgentRecord[]> {
  const agents = await db
    .selectFrom("agents")
    .selectAll()
    .where(column, "=", value)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  if (agents.length === 0) return [];
  const ids = agents.map((agent) => agent.id);
  const rows = await db.selectFrom("multisigs").selectAll().where("agent_id", "in", ids).execute();
  const multisigs = new Map(rows.map((row) => [row.agent_id, row]));
  return agents.map((row) => toAgentRecord(row, multisigs.get(row.id)));
}

/** Returns the record of an agent from its row and its custody's row. */
export function toAgentRecord(
  row: Omit<Selectable<AgentTable>, "created_at" | "name_key" | "stopping_since">,
  multisig: Selectable<MultisigTable> | undefined,
): AgentRecord {
  return {
    id: parseAgentId(row.id),
    chatId: parseChatId(row.chat_id),
    owner: parseOwner(row.owner),
    network: row.network,
    venue: parseVenueId(row.venue),
    name: row.name,
    marketId: row.market_id,
    interval: row.interval,
    slippageBps: row.slippage_bps,
    positionSizePercent: row.position_size_percent,
    maxSignalAgeSeconds: row.max_signal_age_seconds,
    autoTrade: row.auto_trade,
    closedByStop: row.closed_by_stop,
    limits: toOwnerLimits(row.owner_limits as Partial<OwnerLimits>),
    hypothesisStatus: row.hypothesis_status,
    buyReportPrompt: row.buy_report_prompt,
    sellReportPrompt: row.sell_report_prompt,
    subAccountId: row.sub_account_id,
    webhookTokenVersion: row.webhook_token_version,
    multisig: multisig === undefined ? null : toMultisigRecord(multisig),
    updatedAt: row.updated_at,
  };
}

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
  const inserted = await db
    .insertInto("agents")
    .values({
      ...columnsOf(agent),
      id: agent.id,
      chat_id: agent.chatId,
      owner: agent.owner,
      network: agent.network,
      venue: agent.venue,
      name: agent.name,
      name_key: agent.nameKey,
      market_id: agent.marketId,
      interval: agent.interval,
      slippage_bps: agent.slippageBps,
      created_at: new Date(now),
      updated_at: new Date(now),
    })
    .onConflict((conflict) => conflict.columns(["owner", "name_key"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  if (inserted === undefined) return false;
  await db.insertInto("lanes").values({ agent_id: agent.id }).execute();
  return true;
}

/** Updates the given fields; returns false when another agent of the same owner has the name. */
export async function updateAgent(
  db: Db,
  id: AgentId,
  changes: AgentChanges,
  now: number,
): Promise<boolean> {
  const { nameKey } = changes;
  const updated = await db
    .updateTable("agents")
    .set({ ...columnsOf(changes), updated_at: laterThanBefore(now) })
    .where("id", "=", id)
    .$if(nameKey !== undefined, (query) =>
      query.where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("agents as other")
              .select("other.id")
              .whereRef("other.owner", "=", "agents.owner")
              .where("other.name_key", "=", nameKey ?? "")
              .where("other.id", "!=", id),
          ),
        ),
      ),
    )
    .returning("id")
    .executeTakeFirst();
  return updated !== undefined;
}

/** Returns a time later than the row's last change, even within one millisecond or after a clock that was set back. */
export const laterThanBefore = (now: number) =>
  sql<Date>`greatest(${new Date(now)}::timestamptz, agents.updated_at + interval '1 millisecond')`;

/** Marks the agent as changed, for changes to its alerts and rules. */
export async function touchAgent(db: Db, id: AgentId, now: number): Promise<void> {
  await db
    .updateTable("agents")
    .set({ updated_at: laterThanBefore(now) })
    .where("id", "=", id)
    .execute();
}

function columnsOf(changes: AgentChanges) {
  return {
    network: changes.network,
    venue: changes.venue,
    name: changes.name,
    name_key: changes.nameKey,
    market_id: changes.marketId,
    interval: changes.interval,
    slippage_bps: changes.slippageBps,
    position_size_percent: changes.positionSizePercent,
    max_signal_age_seconds: changes.maxSignalAgeSeconds,
    hypothesis_status: changes.hypothesisStatus,
    buy_report_prompt: changes.buyReportPrompt,
    sell_report_prompt: changes.sellReportPrompt,
  };
}

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

/** Locks the agent's lane: until the transaction ends no alert is counted and no other save runs. */
export async function lockLane(db: Db, agentId: AgentId): Promise<boolean> {
  const row = await db
    .selectFrom("lanes")
    .select("agent_id")
    .where("agent_id", "=", agentId)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns whether the owner signed a transaction for this agent that has not settled yet. */
export async function hasSentTransaction(db: Db, agentId: AgentId): Promise<boolean> {
  const row = await db
    .selectFrom("custody_transactions")
    .select("id")
    .where("agent_id", "=", agentId)
    .where("state", "=", "sent")
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns whether the chain may still execute a transaction prepared for this agent. */
export async function hasUnsettledTransaction(db: Db, agentId: AgentId): Promise<boolean> {
  const row = await db
    .selectFrom("custody_transactions")
    .select("id")
    .where("agent_id", "=", agentId)
    .where("settled_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes the agent and every record that belongs to it. */
export async function deleteAgentRow(db: Db, id: AgentId): Promise<void> {
  await db.deleteFrom("agents").where("id", "=", id).execute();
}
