import type { Generated } from "kysely";

type Timestamp = Date;

export interface CustodyTransactionTable {
  id: string;
  agent_id: string;
  owner: string;
  intent: string;
  step: number;
  step_count: number;
  label: string;
  state: "prepared" | "sent" | "confirmed" | "failed" | "expired" | "abandoned";
  reason: string | null;
  amount: string | null;
  message: Uint8Array;
  transaction: Uint8Array | null;
  signature: string | null;
  expects: unknown;
  costs: unknown;
  last_valid_block_height: string;
  /** Slot at which the blockhash was read; null in records without it. */
  blockhash_slot: string | null;
  prepared_at: Timestamp;
  sent_at: Timestamp | null;
  settled_at: Timestamp | null;
  seq: Generated<string>;
}
