import type { ExitAsker } from "../../../domain/exit.ts";
import type { OrderState } from "../../../domain/order/order-states.ts";
import type { PlanAct, PlanEnd } from "../../../domain/plan/plan-end.ts";
import type { Side } from "../../../domain/position.ts";
import type { ColumnType, Generated } from "kysely";

type Timestamp = Date;

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
  planned_at: Timestamp;
  submitted_at: Timestamp | null;
  settled_at: Timestamp | null;
  /** When the stop of the position it opened was seen to rest at the venue. */
  stop_rested_at: Timestamp | null;
  seq: Generated<string>;
}

export interface DecisionTable {
  order_id: string;
  agent_id: string;
  rule_id: string | null;
  decided_at: Timestamp;
  facts: unknown;
}

export interface ExitTable {
  id: string;
  agent_id: string;
  market_id: string;
  side: Side;
  asked_by: ExitAsker;
  asked_at: Timestamp;
  state: "working" | "done" | "ended_by_owner";
  attempts: Generated<number>;
  waits: Generated<number>;
  next_attempt_at: Timestamp;
  last_reason: string | null;
  limit_bps: number;
  /** The part of the position that it closes, amounts as text; null for all of it. */
  part: unknown;
  /** The owner's request that began it. */
  request_id: string | null;
  /** What of the position's plan asked for it. */
  plan_end: PlanEnd | null;
  ended_at: Timestamp | null;
}

export interface PlanPositionTable {
  agent_id: string;
  /** When the lane looks at it again. */
  due_at: Timestamp;
  /** Grows with each change. */
  version: Generated<string>;
  /** Time of the entry's first fill; null where the position was open before its plan. */
  opened_at: Timestamp | null;
  /** Orders that added to the position. */
  add_orders: Generated<string[]>;
  /** Amounts as text; null until the lane saw the position. */
  position: unknown;
  /** Since when its stop has no level. */
  unprotected_since: Timestamp | null;
  /** What rests at the venue for it; null for nothing. */
  protection: unknown;
  /** Whether its owner keeps it without the plan: what rests is still to be cancelled. */
  is_over: Generated<boolean>;
}

export interface OrderTransactionTable {
  signature: string;
  order_id: string;
  purpose: "fill" | "cancel";
  transaction: Uint8Array;
  last_valid_block_height: string;
  sent_after_slot: Generated<string>;
  submitted_at: Timestamp;
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

export interface OwnerFeesTable {
  owner: string;
  network: string;
  /** UTC day, for instance 2026-11-21. */
  day: ColumnType<Date, string, string>;
  lamports: string;
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
  at: Timestamp;
  seq: Generated<string>;
}
