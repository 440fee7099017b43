import { sql } from "kysely";
import type { KeyState } from "../../../domain/agent-health.ts";
import type { AgentId, OwnerAddress } from "../../../domain/ids.ts";
import { type AgentRecord, type MultisigRecord, readAgents } from "../agents/agents.ts";
import type { Db } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";

/** Agent data used by custody and positions. */
export interface CustodyAgent extends Pick<
  AgentRecord,
  | "chatId"
  | "owner"
  | "network"
  | "venue"
  | "name"
  | "marketId"
  | "leverage"
  | "autoTrade"
  | "subAccountId"
  | "multisig"
> {
  readonly agentId: AgentId;
}

const toCustodyAgent = ({ id, ...agent }: AgentRecord): CustodyAgent => ({ ...agent, agentId: id });

/** Returns one agent with its custody. */
export async function findCustodyAgent(db: Db, agentId: AgentId): Promise<CustodyAgent | null> {
  return (await findCustodyAgents(db, [agentId]))[0] ?? null;
}

/** Returns every agent of a wallet with its custody, oldest first. */
export async function listCustodyAgents(
  db: Db,
  owner: OwnerAddress,
): Promise<readonly CustodyAgent[]> {
  return (await readAgents(db, sql`agents.owner = ${owner}`)).map(toCustodyAgent);
}

/** Returns those of the agents that still exist, each with its custody, oldest first. */
export async function findCustodyAgents(
  db: Db,
  agentIds: readonly AgentId[],
): Promise<readonly CustodyAgent[]> {
  if (agentIds.length === 0) return [];
  return (await readAgents(db, sql`agents.id = any(${agentIds})`)).map(toCustodyAgent);
}

/** Returns every agent with an attached custody, oldest first. */
export async function listAttachedAgents(db: Db): Promise<readonly CustodyAgent[]> {
  const attached = sql`multisigs.status in ('active', 'deleting')`;
  return (await readAgents(db, attached)).map(toCustodyAgent);
}

/** Inserts a custody before its owner is asked to sign; the record of an earlier attempt is kept. */
export async function planMultisig(
  db: Db,
  planned: Omit<
    MultisigRecord,
    "status" | "hasTradingKey" | "subAccountId" | "lastUsedAt" | "keyRevokedAt" | "limitsMarketId"
  >,
): Promise<void> {
  const { agentId, multisig, vault, vaultIndex, createKey, tradingKey, members } = planned;
  await on(db).change`
    insert into multisigs
      (agent_id, multisig, vault, vault_index, create_key, delegate, members, threshold, status, created_at)
    values (${agentId}, ${multisig}, ${vault}, ${vaultIndex}, ${createKey}, ${tradingKey}, ${members},
      ${planned.threshold}, 'planned', ${planned.createdAt})
    on conflict (agent_id) do nothing`;
}

/** Moves a custody from one status to another. Returns whether it had the first. */
export async function moveStatus(
  db: Db,
  agentId: AgentId,
  from: MultisigRecord["status"],
  to: MultisigRecord["status"],
): Promise<boolean> {
  const moved = await on(db).change`
    update multisigs set status = ${to} where agent_id = ${agentId} and status = ${from}`;
  return moved > 0;
}

/** Records that this custody no longer controls anything. */
export async function markClosed(db: Db, agentId: AgentId): Promise<void> {
  await on(db).change`
    update multisigs set status = 'closed', delegated = false where agent_id = ${agentId}`;
}

/** Records that the venue account authorises the trading key for this market. Returns whether that is new. */
export async function markTradingKeySet(
  db: Db,
  agentId: AgentId,
  marketId: string,
): Promise<boolean> {
  const changed = await on(db).change`
    update multisigs set delegated = true, limits_market_id = ${marketId}
    where agent_id = ${agentId} and (not delegated or limits_market_id is distinct from ${marketId})`;
  return changed > 0;
}

/** Records that the venue account no longer authorises the trading key. Returns whether that is new. */
export async function markTradingKeyRemoved(db: Db, agentId: AgentId): Promise<boolean> {
  const changed = await on(db).change`
    update multisigs set delegated = false where agent_id = ${agentId} and delegated`;
  return changed > 0;
}

/** Replaces the key of an agent's last reading. Returns whether it was another. */
export async function saveKeyState(db: Db, agentId: AgentId, key: KeyState): Promise<boolean> {
  const changed = await on(db).change`
    update agent_looks set key_state = ${key}
    where agent_id = ${agentId} and key_state is distinct from ${key}`;
  return changed > 0;
}

/**
 * Moves an agent's custody to another account number: without a trading key there, without a deposit, and turned off.
 */
export async function moveToAccountNumber(
  db: Db,
  agentId: AgentId,
  { from, to, at }: { readonly from: number; readonly to: number; readonly at: Date },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const moved = await on(tx).change`
      update multisigs set sub_account_id = ${to}, delegated = false
      where agent_id = ${agentId} and sub_account_id = ${from}`;
    // Another process has moved it already
    if (moved === 0) return;
    await on(tx).change`
      update agents set sub_account_id = null, auto_trade = 'off', updated_at = ${at} where id = ${agentId}`;
  });
}
