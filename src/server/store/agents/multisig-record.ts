import type { Selectable } from "kysely";
import { type AgentId, parseAgentId } from "../../../domain/ids.ts";
import type { MultisigTable } from "../schema/agent-tables.ts";

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

/** Returns the record of a row. */
export function toMultisigRecord(row: Selectable<MultisigTable>): MultisigRecord {
  return {
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
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    keyRevokedAt: row.key_revoked_at,
    limitsMarketId: row.limits_market_id,
  };
}
