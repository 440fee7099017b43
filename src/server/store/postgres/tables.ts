import type { Generated } from "kysely";
import type { ExitAsker } from "../../../domain/exit.ts";
import type { LedgerKind, LedgerPlace } from "../../../domain/ledger/entry.ts";
import type { OrderState } from "../../../domain/order/order-states.ts";
import type { Plan, PlanAct, PlanEnd } from "../../../domain/plan/plan.ts";
import type { Side } from "../../../domain/position.ts";

export interface AlertEventTable {
  /** Derived from the firing for a counted or ignored alert, so that its repeat has the same. */
  id: string;
  agent_id: string;
  /** The alert that counted; null when none did. */
  alert_id: string | null;
  /** Null for a refusal, a duplicate and a condition's firing. */
  body_hash: Uint8Array | null;
  alert_name: string;
  fired_at: Date | null;
  received_at: Date;
  outcome: "accepted" | "duplicate" | "ignored" | "refused" | "denied";
  reason: string | null;
  /** Close price of the bar a condition fired on. */
  price: number | null;
  /** Null for an external alert. */
  compared: unknown;
  /** Packed effects on the agent's rules; null when the alert did not count. */
  effects: Uint8Array | null;
  seq: Generated<string>;
}

export interface AgentTable {
  id: string;
  chat_id: string;
  owner: string;
  network: "practice" | "paper" | "devnet" | "mainnet";
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
  stopping_since: Date | null;
  closed_by_stop: Generated<boolean>;
  owner_limits: Generated<unknown>;
  plan: Generated<Plan | null>;
  leverage: Generated<number>;
  created_at: Date;
  updated_at: Date;
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
  created_at: Date;
  last_used_at: Date | null;
  key_revoked_at: Date | null;
  limits_market_id: string | null;
  opening_due: Generated<boolean>;
  fees_due: Generated<boolean>;
}

export interface OrderTable {
  id: string;
  agent_id: string;
  event_id: string | null;
  signal: string;
  leg: Generated<number>;
  state: OrderState;
  reason: string | null;
  attempt: Generated<number>;
  intent: unknown;
  transaction: Uint8Array | null;
  signature: string | null;
  last_valid_block_height: string | null;
  /** Slot at which the blockhash was read; null in records without it. */
  blockhash_slot: string | null;
  /** The order as the venue holds it, while it rests and afterwards. */
  resting: unknown;
  exit_id: string | null;
  /** Percent of the position that a closing closes; null for all of it. */
  portion: number | null;
  /** What of the position's plan asked for it. */
  plan_act: PlanAct | null;
  planned_at: Date;
  submitted_at: Date | null;
  settled_at: Date | null;
  /** When the stop of the position it opened was seen to rest at the venue. */
  stop_rested_at: Date | null;
  seq: Generated<string>;
}

export interface ExitTable {
  id: string;
  agent_id: string;
  market_id: string;
  side: Side;
  asked_by: ExitAsker;
  asked_at: Date;
  state: "working" | "done" | "ended_by_owner";
  attempts: Generated<number>;
  waits: Generated<number>;
  next_attempt_at: Date;
  last_reason: string | null;
  limit_bps: number;
  /** The part of the position that it closes, amounts as text; null for all of it. */
  part: unknown;
  /** The owner's request that began it. */
  request_id: string | null;
  /** What of the position's plan asked for it. */
  plan_end: PlanEnd | null;
  ended_at: Date | null;
}

export interface PlanPositionTable {
  agent_id: string;
  /** When the lane looks at it again. */
  due_at: Date;
  /** Grows with each change. */
  version: Generated<string>;
  /** Time of the entry's first fill; null where the position was open before its plan. */
  opened_at: Date | null;
  /** Orders that added to the position. */
  add_orders: Generated<string[]>;
  /** Amounts as text; null until the lane saw the position. */
  position: unknown;
  /** Since when its stop has no level. */
  unprotected_since: Date | null;
  /** What rests at the venue for it; null for nothing. */
  protection: unknown;
  /** Whether its owner keeps it without the plan: what rests is still to be cancelled. */
  is_over: Generated<boolean>;
  /** Whether the recorded trades have closed it: the lane looks at the account next. */
  is_closed: Generated<boolean>;
}

export interface OrderTransactionTable {
  signature: string;
  order_id: string;
  purpose: "fill" | "cancel";
  transaction: Uint8Array;
  last_valid_block_height: string;
  sent_after_slot: Generated<string>;
  submitted_at: Date;
  ended: "landed" | "expired" | "refused" | null;
  seq: Generated<string>;
}

export interface OrderFillTable {
  order_id: string;
  signature: string;
  n: number;
  base_size: string;
  quote_size: string;
  fee: string;
  slot: string;
}

export interface TradeLogTable {
  id: string;
  agent_id: string;
  chat_id: string;
  event_id: string | null;
  order_id: string | null;
  /** The rule that fired; null for an order without a rule. */
  rule_id: string | null;
  market: string;
  signal: string;
  type: string;
  side: string;
  status: "pending" | "success" | "failed";
  reason: string | null;
  base_size: Generated<string>;
  /** Null, as is `quote_decimals`, when the market is unknown: the entry then has no amounts. */
  base_decimals: number | null;
  percentage: Generated<number>;
  quote_total: Generated<string>;
  quote_decimals: number | null;
  price: string | null;
  fee: string | null;
  signature: string | null;
  /** Whether the owner's wallet did it instead of the trading key. */
  by_owner: Generated<boolean>;
  at: Date;
  seq: Generated<string>;
}

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
  at: Date;
  booked_at: Date;
}

export interface LedgerMarkTable {
  agent_id: string;
  slot: string;
  content: string;
  searched_at: Date;
  balanced_slot: string | null;
  balanced_signature: string | null;
  balanced_at: Date | null;
  interest_index: string | null;
  difference: unknown;
}
