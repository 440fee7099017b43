import type {
  AgentTable,
  LaneTable,
  MultisigTable,
  ReconcileMarkTable,
  TriedVariantTable,
} from "./agent-tables.ts";
import type {
  AlertEventTable,
  AlertTable,
  ReplacedTokenAlertsTable,
  RuleConditionTable,
  RuleTable,
} from "./alert-tables.ts";
import type {
  ReadTokenTable,
  RefreshTokenTable,
  SessionTable,
  UsedNonceTable,
} from "./auth-tables.ts";
import type { ChatTable, HypothesisTable, MessageTable } from "./chat-tables.ts";
import type { CandleBlockTable, ConditionProgressTable } from "./condition-tables.ts";
import type { CustodyTransactionTable } from "./custody-tables.ts";
import type {
  AgentLookTable,
  FeedTroubleTable,
  ProcessFiguresTable,
  ReconcileRoundTable,
} from "./figure-tables.ts";
import type { AuditLogTable, FaucetUsesTable, InstallationTable } from "./installation-tables.ts";
import type { EquityPointTable, LedgerEntryTable, LedgerMarkTable } from "./ledger-tables.ts";
import type {
  DecisionTable,
  ExitTable,
  OrderFillTable,
  OwnerFeesTable,
  OrderTable,
  OrderTransactionTable,
  TradedBaseTable,
  TradeLogTable,
} from "./order-tables.ts";

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
  agent_looks: AgentLookTable;
  feed_troubles: FeedTroubleTable;
  process_figures: ProcessFiguresTable;
  reconcile_rounds: ReconcileRoundTable;
  candle_blocks: CandleBlockTable;
  condition_progress: ConditionProgressTable;
  orders: OrderTable;
  decisions: DecisionTable;
  exits: ExitTable;
  order_transactions: OrderTransactionTable;
  order_fills: OrderFillTable;
  owner_fees: OwnerFeesTable;
  trade_log: TradeLogTable;
  hypotheses: HypothesisTable;
  custody_transactions: CustodyTransactionTable;
  faucet_uses: FaucetUsesTable;
  replaced_token_alerts: ReplacedTokenAlertsTable;
  audit_log: AuditLogTable;
  ledger_entries: LedgerEntryTable;
  ledger_marks: LedgerMarkTable;
  traded_base: TradedBaseTable;
  equity_points: EquityPointTable;
  read_tokens: ReadTokenTable;
  tried_variants: TriedVariantTable;
}
