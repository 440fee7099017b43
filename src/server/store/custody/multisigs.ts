import type { Selectable } from "kysely";
import {
  type AgentId,
  type ChatId,
  type OwnerAddress,
  parseAgentId,
  parseChatId,
  parseOwner,
} from "../../../domain/ids.ts";
import type { Network } from "../../../domain/network.ts";
import { parseVenueId, type VenueId } from "../../../domain/venue-id.ts";
import type { Db } from "../postgres/db.ts";
import { type MultisigRecord, toMultisigRecord } from "../agents/multisig-record.ts";
import type { AgentTable } from "../schema/agent-tables.ts";

/** Agent data used by custody and positions. */
export interface CustodyAgent {
  readonly agentId: AgentId;
  readonly chatId: ChatId;
  readonly owner: OwnerAddress;
  readonly network: Network;
  /** Null for a venue that no longer exists. */
  readonly venue: VenueId | null;
  readonly name: string;
  readonly marketId: string;
  readonly autoTrade: "on" | "stopping" | "off";
  /** Number of the account that received the first deposit; null before. */
  readonly subAccountId: number | null;
  readonly multisig: MultisigRecord | null;
}

const agentColumns = [
  "agents.id",
  "agents.chat_id",
  "agents.owner",
  "agents.network",
  "agents.venue",
  "agents.name",
  "agents.market_id",
  "agents.auto_trade",
  "agents.sub_account_id",
] as const;

type ColumnName =
  | "id"
  | "chat_id"
  | "owner"
  | "network"
  | "venue"
  | "name"
  | "market_id"
  | "auto_trade"
  | "sub_account_id";

/** Returns one agent with its custody. */
export async function findCustodyAgent(db: Db, agentId: AgentId): Promise<CustodyAgent | null> {
  const [found] = await readAgents(db, "agents.id", agentId);
  return found ?? null;
}

/** Returns every agent of a wallet with its custody, oldest first. */
export async function listCustodyAgents(
  db: Db,
  owner: OwnerAddress,
): Promise<readonly CustodyAgent[]> {
  return readAgents(db, "agents.owner", owner);
}

/** Returns those of the agents that still exist, each with its custody, oldest first. */
export async function findCustodyAgents(
  db: Db,
  agentIds: readonly AgentId[],
): Promise<readonly CustodyAgent[]> {
  return agentIds.length === 0 ? [] : readAgents(db, "agents.id", agentIds);
}

async function readAgents(
  db: Db,
  column: "agents.id" | "agents.owner",
  value: string | readonly string[],
): Promise<CustodyAgent[]> {
  const agents = await db
    .selectFrom("agents")
    .select(agentColumns)
    .where(column, "in", [value].flat())
    .orderBy("agents.created_at")
    .execute();
  return withMultisigs(db, agents);
}

async function withMultisigs(
  db: Db,
  agents: readonly Pick<Selectable<AgentTable>, ColumnName>[],
): Promise<CustodyAgent[]> {
  if (agents.length === 0) return [];
  const ids = agents.map((agent) => agent.id);
  const rows = await db.selectFrom("multisigs").selectAll().where("agent_id", "in", ids).execute();
  const multisigs = new Map(rows.map((row) => [row.agent_id, toMultisigRecord(row)]));
  return agents.map((agent) => ({
    agentId: parseAgentId(agent.id),
    chatId: parseChatId(agent.chat_id),
    owner: parseOwner(agent.owner),
    network: agent.network,
    venue: parseVenueId(agent.venue),
    name: agent.name,
    marketId: agent.market_id,
    autoTrade: agent.auto_trade,
    subAccountId: agent.sub_account_id,
    multisig: multisigs.get(agent.id) ?? null,
  }));
}

/** Inserts a custody before its owner is asked to sign; the record of an earlier attempt is kept. */
export async function planMultisig(
  db: Db,
  planned: Omit<
    MultisigRecord,
    "status" | "hasTradingKey" | "subAccountId" | "lastUsedAt" | "keyRevokedAt" | "limitsMarketId"
  >,
): Promise<void> {
  await db
    .insertInto("multisigs")
    .values({
      agent_id: planned.agentId,
      multisig: planned.multisig,
      vault: planned.vault,
      vault_index: planned.vaultIndex,
      create_key: planned.createKey,
      delegate: planned.tradingKey,
      members: [...planned.members],
      threshold: planned.threshold,
      status: "planned",
      created_at: planned.createdAt,
    })
    .onConflict((conflict) => conflict.column("agent_id").doNothing())
    .execute();
}

/** Marks a custody active after the chain showed its exact configuration. Returns whether it was not before. */
export async function attachMultisig(db: Db, agentId: AgentId): Promise<boolean> {
  const changed = await db
    .updateTable("multisigs")
    .set({ status: "active" })
    .where("agent_id", "=", agentId)
    .where("status", "=", "planned")
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}

/** Records that the venue account authorises the trading key for this market. Returns whether that is new. */
export async function markTradingKeySet(
  db: Db,
  agentId: AgentId,
  marketId: string,
): Promise<boolean> {
  const changed = await db
    .updateTable("multisigs")
    .set({ delegated: true, limits_market_id: marketId })
    .where("agent_id", "=", agentId)
    .where((row) =>
      row.or([row("delegated", "=", false), row("limits_market_id", "is distinct from", marketId)]),
    )
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}

/** Records that the venue account no longer authorises the trading key. Returns whether that is new. */
export async function markTradingKeyRemoved(db: Db, agentId: AgentId): Promise<boolean> {
  const changed = await db
    .updateTable("multisigs")
    .set({ delegated: false })
    .where("agent_id", "=", agentId)
    .where("delegated", "=", true)
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}

/** Records that the owner started to delete the agent. */
export async function markDeleting(db: Db, agentId: AgentId): Promise<void> {
  await db
    .updateTable("multisigs")
    .set({ status: "deleting" })
    .where("agent_id", "=", agentId)
    .where("status", "=", "active")
    .execute();
}

/** Records that the owner set up an agent again after its deletion had started. */
export async function endDeleting(db: Db, agentId: AgentId): Promise<void> {
  await db
    .updateTable("multisigs")
    .set({ status: "active" })
    .where("agent_id", "=", agentId)
    .where("status", "=", "deleting")
    .execute();
}

/** Records that this custody no longer controls anything. */
export async function markClosed(db: Db, agentId: AgentId): Promise<void> {
  await db
    .updateTable("multisigs")
    .set({ status: "closed", delegated: false })
    .where("agent_id", "=", agentId)
    .execute();
}

/** Returns every agent with an attached custody, oldest first. */
export async function listAttachedAgents(db: Db): Promise<readonly CustodyAgent[]> {
  const agents = await db
    .selectFrom("agents")
    .innerJoin("multisigs", "multisigs.agent_id", "agents.id")
    .select(agentColumns)
    .where("multisigs.status", "in", ["active", "deleting"])
    .orderBy("agents.created_at")
    .execute();
  return withMultisigs(db, agents);
}
