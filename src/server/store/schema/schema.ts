import type { AlertCondition } from "../../../domain/condition/condition.ts";
import type { ExitAsker } from "../../../domain/exit.ts";
import type { OrderState } from "../../../domain/order/order-states.ts";
import type { Side } from "../../../domain/position.ts";
import type { ColumnType, Generated } from "kysely";
import type {
  ReadTokenTable,
  RefreshTokenTable,
  SessionTable,
  UsedNonceTable,
} from "./auth-tables.ts";
import type { CandleBlockTable, ConditionProgressTable } from "./condition-tables.ts";
import type { EquityPointTable, LedgerEntryTable, LedgerMarkTable } from "./ledger-tables.ts";

type Timestamp = Date;

export interface InstallationTable {
  is_only: Generated<boolean>;
  latest_at: Timestamp;
  identity: unknown;
}

export interface ChatTable {
  id: string;
  owner: string;
  title: string;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface MessageTable {
  chat_id: string;
  id: string;
  type: "user" | "ai";
  content: string;
  sent_at: Timestamp;
  seq: Generated<string>;
}

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
}

export interface AlertTable {
  id: string;
  agent_id: string;
  name: string;
  name_key: string;
  description: Generated<string>;
  seq: Generated<string>;
  condition: ColumnType<AlertCondition | null, string | null | undefined, string | null>;
}

export interface RuleTable {
  id: string;
  agent_id: string;
  action: string;
  seq: Generated<string>;
}

export interface RuleConditionTable {
  rule_id: string;
  alert_id: string;
  required_count: number;
  count: Generated<number>;
}

export interface ReconcileMarkTable {
  agent_id: string;
  content: string;
  searched_at: Timestamp | null;
  judged: string[];
}

export interface LaneTable {
  agent_id: string;
  fence: Generated<string>;
  claimed_by: string | null;
  claimed_until: Timestamp | null;
  risk: Generated<unknown>;
  landed_slot: Generated<string>;
}

export interface AlertEventTable {
  id: string;
  agent_id: string;
  dedup_key: string | null;
  body_hash: string | null;
  alert_name: string;
  fired_at: Timestamp | null;
  received_at: Timestamp;
  outcome: "accepted" | "duplicate" | "ignored" | "refused" | "denied";
  reason: string | null;
  origin: Generated<"webhook" | "condition">;
  /** Close of the bar a condition fired on. */
  price: number | null;
  compared: unknown;
  /** What it did to the agent's rules; null for one that did not count. */
  effects: unknown;
  seq: Generated<string>;
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
  /** The slot the blockhash was taken at; null where that was not kept. */
  blockhash_slot: string | null;
  /** The order as the venue holds it, while it rests there and after. */
  resting: unknown;
  exit_id: string | null;
  planned_at: Timestamp;
  submitted_at: Timestamp | null;
  settled_at: Timestamp | null;
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
  ended_at: Timestamp | null;
}

export interface OrderTransactionTable {
  signature: string;
  order_id: string;
  purpose: "fill" | "cancel";
  transaction: Uint8Array;
  last_valid_block_height: string;
  sent_after_slot: Generated<string>;
  submitted_at: Timestamp;
  ended: "landed" | "expired" | null;
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
  /** The rule that fired; null for what no rule asked for. */
  rule_id: string | null;
  market: string;
  signal: string;
  type: string;
  side: string;
  status: "pending" | "success" | "failed";
  reason: string | null;
  base_size: Generated<string>;
  base_decimals: number;
  percentage: Generated<number>;
  quote_total: Generated<string>;
  quote_decimals: number;
  price: string | null;
  fee: string | null;
  signature: string | null;
  /** The owner did it with the wallet, not the trading key. */
  by_owner: Generated<boolean>;
  at: Timestamp;
  seq: Generated<string>;
}

export interface HypothesisTable {
  id: string;
  trade_log_id: string;
  agent_id: string;
  chat_id: string;
  text: string;
  created_at: Timestamp;
}

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
  /** The slot the blockhash was taken at; null where that was not kept. */
  blockhash_slot: string | null;
  prepared_at: Timestamp;
  sent_at: Timestamp | null;
  settled_at: Timestamp | null;
  seq: Generated<string>;
}

export interface FaucetUsesTable {
  seq: Generated<string>;
  wallet: string;
  at: Timestamp;
}

export interface ReplacedTokenAlertsTable {
  agent_id: string;
  since: Timestamp;
  last_at: Timestamp | null;
  alerts: Generated<string>;
}

export interface AuditLogTable {
  seq: Generated<string>;
  at: Timestamp;
  wallet: string | null;
  action: string;
  object: string | null;
  detail: unknown;
}

/** The migrated database as Kysely sees it; `bigint` columns arrive as decimal text. */
export interface Database {
  used_nonces: UsedNonceTable;
  installation: InstallationTable;
  sessions: SessionTable;
  refresh_tokens: RefreshTokenTable;
  chats: ChatTable;
  messages: MessageTable;
  agents: AgentTable;
  multisigs: MultisigTable;
  alerts: AlertTable;
  rules: RuleTable;
  rule_conditions: RuleConditionTable;
  lanes: LaneTable;
  reconcile_marks: ReconcileMarkTable;
  alert_events: AlertEventTable;
  candle_blocks: CandleBlockTable;
  condition_progress: ConditionProgressTable;
  orders: OrderTable;
  decisions: DecisionTable;
  exits: ExitTable;
  order_transactions: OrderTransactionTable;
  order_fills: OrderFillTable;
  trade_log: TradeLogTable;
  hypotheses: HypothesisTable;
  custody_transactions: CustodyTransactionTable;
  faucet_uses: FaucetUsesTable;
  replaced_token_alerts: ReplacedTokenAlertsTable;
  audit_log: AuditLogTable;
  ledger_entries: LedgerEntryTable;
  ledger_marks: LedgerMarkTable;
  equity_points: EquityPointTable;
  read_tokens: ReadTokenTable;
}
