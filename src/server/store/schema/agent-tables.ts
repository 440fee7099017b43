import type { Generated } from "kysely";

type Timestamp = Date;

export interface AgentTable {
  id: string;
  chat_id: string;
  owner: string;
  network: "practice" | "devnet" | "mainnet";
  venue: string;
  name: string;
  name_key: string;
  market_id: string;
  interval: string;
  slippage_bps: number;
  position_size_percent: Generated<number>;
  max_signal_age_seconds: Generated<number>;
  auto_trade: Generated<"on" | "stopping" | "off">;
  hypothesis_status: Generated<"on" | "off">;
  buy_report_prompt: Generated<string>;
  sell_report_prompt: Generated<string>;
  sub_account_id: number | null;
  webhook_token_version: Generated<number>;
  stopping_since: Timestamp | null;
  closed_by_stop: Generated<boolean>;
  owner_limits: Generated<unknown>;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface TriedVariantTable {
  wallet: string;
  network: string;
  venue: string;
  market_id: string;
  variant: string;
  t_statistic: number | null;
  tried_at: Timestamp;
}

export interface MultisigTable {
  agent_id: string;
  multisig: string;
  vault: string;
  vault_index: Generated<number>;
  create_key: string;
  delegate: string;
  members: string[];
  threshold: number;
  status: "planned" | "active" | "deleting" | "closed";
  delegated: Generated<boolean>;
  sub_account_id: Generated<number>;
  created_at: Timestamp;
  last_used_at: Timestamp | null;
  key_revoked_at: Timestamp | null;
  limits_market_id: string | null;
  opening_due: Generated<boolean>;
}

export interface LaneTable {
  agent_id: string;
  fence: Generated<string>;
  claimed_by: string | null;
  claimed_until: Timestamp | null;
  risk: Generated<unknown>;
  landed_slot: Generated<string>;
  restored_at: Timestamp | null;
  restored_height: string | null;
  account_difference: unknown;
}

export interface ReconcileMarkTable {
  agent_id: string;
  content: string;
  searched_at: Timestamp | null;
  judged: string[];
}
