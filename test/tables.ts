import type { ColumnType, Generated } from "kysely";
import type { KeyState } from "../src/domain/agent-health.ts";
import type { AlertCondition } from "../src/domain/condition/condition.ts";
import type { Network } from "../src/domain/network.ts";
import type {
  LedgerEntryTable,
  LedgerMarkTable,
  ExitTable,
  OrderFillTable,
  OrderTable,
  OrderTransactionTable,
  TradeLogTable,
  AgentTable,
  AlertEventTable,
  MultisigTable,
} from "../src/server/store/postgres/tables.ts";

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

interface ReplacedTokenAlertsTable {
  agent_id: string;
  since: Date;
  last_at: Date | null;
  alerts: Generated<string>;
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

interface DecisionTable {
  order_id: string;
  agent_id: string;
  rule_id: string | null;
  decided_at: Date;
  facts: unknown;
}

interface OwnerFeesTable {
  owner: string;
  network: string;
  /** UTC day, for instance 2026-11-21. */
  day: ColumnType<Date, string, string>;
  lamports: string;
}

interface EquityPointTable {
  seq: Generated<string>;
  agent_id: string;
  owner: string;
  network: string;
  at: Date;
  slot: string;
  cause: "fill" | "flow" | "hour";
  value: string;
  asset: string;
  decimals: number;
  /** Cumulative inflows less outflows since the account began, in the units of `value`. */
  net_flow: string;
  market: string;
  price: string | null;
  price_at: Date | null;
  /** Last ledger entry that the value includes. */
  entry_seq: string;
}

declare module "../src/server/store/postgres/db.ts" {
  /** Tables that tests build statements on; `bigint` columns arrive as decimal text. */
  interface Database {
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
}
