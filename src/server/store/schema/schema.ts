import type { EquityPointTable, LedgerEntryTable, LedgerMarkTable } from "./ledger-tables.ts";
import type {
  DecisionTable,
  ExitTable,
  OrderFillTable,
  OwnerFeesTable,
  OrderTable,
  OrderTransactionTable,
  TradeLogTable,
} from "./order-tables.ts";
import type { Generated, ColumnType } from "kysely";
import type { KeyState } from "../../../domain/agent-health.ts";
import type { Network } from "../../../domain/network.ts";
import type { AlertCondition } from "../../../domain/condition/condition.ts";
import type { Plan } from "../../../domain/plan/plan.ts";

interface AlertTable {
  id: string;
  agent_id: string;
  name: string;
  name_key: string;
  description: Generated<string>;
  seq: Generated<string>;
  condition: ColumnType<AlertCondition | null, string | null | undefined, string | null>;
}

interface RuleTable {
  id: string;
  agent_id: string;
  action: string;
  /** Percent of the position that a closing rule closes. */
  portion: Generated<number>;
  seq: Generated<string>;
}

interface RuleConditionTable {
  rule_id: string;
  alert_id: string;
  required_count: number;
  count: Generated<number>;
}

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

interface ReplacedTokenAlertsTable {
  agent_id: string;
  since: Date;
  last_at: Date | null;
  alerts: Generated<string>;
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

interface LaneTable {
  agent_id: string;
  fence: Generated<string>;
  claimed_by: string | null;
  claimed_until: Date | null;
  risk: Generated<unknown>;
  landed_slot: Generated<string>;
  restored_at: Date | null;
  restored_height: string | null;
  account_difference: unknown;
}

interface CustodyTransactionTable {
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
  prepared_at: Date;
  sent_at: Date | null;
  settled_at: Date | null;
  seq: Generated<string>;
}

interface FaucetUsesTable {
  seq: Generated<string>;
  wallet: string;
  at: Date;
}

interface AuditLogTable {
  seq: Generated<string>;
  at: Date;
  wallet: string | null;
  action: string;
  object: string | null;
  detail: unknown;
}

interface AgentLookTable {
  agent_id: string;
  network: Network;
  done_at: Date | null;
  failing_since: Date | null;
  key_state: KeyState | null;
  /** Why the chain or the venue did not answer; null while it does. */
  reason: string | null;
}

interface ConditionProgressTable {
  agent_id: string;
  evaluated_to: Date;
}

interface ChatTable {
  id: string;
  owner: string;
  title: string;
  created_at: Date;
  updated_at: Date;
}

interface MessageTable {
  chat_id: string;
  id: string;
  type: "user" | "ai";
  content: string;
  sent_at: Date;
  seq: Generated<string>;
}

/** Tables that statements are built on; `bigint` columns arrive as decimal text. */
export interface Database {
  chats: ChatTable;
  messages: MessageTable;
  agents: AgentTable;
  multisigs: MultisigTable;
  alerts: AlertTable;
  rules: RuleTable;
  rule_conditions: RuleConditionTable;
  lanes: LaneTable;
  alert_events: AlertEventTable;
  agent_looks: AgentLookTable;
  condition_progress: ConditionProgressTable;
  orders: OrderTable;
  decisions: DecisionTable;
  exits: ExitTable;
  order_transactions: OrderTransactionTable;
  order_fills: OrderFillTable;
  owner_fees: OwnerFeesTable;
  trade_log: TradeLogTable;
  custody_transactions: CustodyTransactionTable;
  faucet_uses: FaucetUsesTable;
  replaced_token_alerts: ReplacedTokenAlertsTable;
  audit_log: AuditLogTable;
  ledger_entries: LedgerEntryTable;
  ledger_marks: LedgerMarkTable;
  equity_points: EquityPointTable;
}
