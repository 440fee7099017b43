import type { Generated } from "kysely";
import type { LedgerKind, LedgerPlace } from "../../../domain/ledger/entry.ts";

type Timestamp = Date;

export interface LedgerEntryTable {
  seq: Generated<string>;
  agent_id: string;
  owner: string;
  network: string;
  signature: string;
  kind: LedgerKind;
  n: number;
  place: LedgerPlace;
  sub_account: Generated<number>;
  market: Generated<string>;
  asset: string;
  decimals: number;
  amount: string;
  base_market: string | null;
  base_decimals: number | null;
  base_amount: string | null;
  realised: string | null;
  held_base: string | null;
  held_cost: string | null;
  /** Null in entries of earlier versions until they are counted. */
  held_fees: string | null;
  realised_fees: string | null;
  slot: string;
  at: Timestamp;
  booked_at: Timestamp;
}

export interface LedgerMarkTable {
  agent_id: string;
  slot: string;
  content: string;
  searched_at: Timestamp;
  balanced_slot: string | null;
  balanced_signature: string | null;
  balanced_at: Timestamp | null;
  interest_index: string | null;
  difference: unknown;
}

export interface EquityPointTable {
  seq: Generated<string>;
  agent_id: string;
  owner: string;
  network: string;
  at: Timestamp;
  slot: string;
  cause: "fill" | "flow" | "hour";
  value: string;
  asset: string;
  decimals: number;
  /** Cumulative inflows less outflows since the account began, in the units of `value`. */
  net_flow: string;
  market: string;
  price: string | null;
  price_at: Timestamp | null;
  /** Last ledger entry that the value includes. */
  entry_seq: string;
}
