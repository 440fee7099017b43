import type { AlertCondition } from "../../../domain/condition/condition.ts";
import type { ColumnType, Generated } from "kysely";

type Timestamp = Date;

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

export interface AlertEventTable {
  /** Derived from the firing for a counted or ignored alert, so that its repeat has the same. */
  id: string;
  agent_id: string;
  /** The alert that counted; null when none did. */
  alert_id: string | null;
  /** Null for a refusal, a duplicate and a condition's firing. */
  body_hash: Uint8Array | null;
  alert_name: string;
  fired_at: Timestamp | null;
  received_at: Timestamp;
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

export interface ReplacedTokenAlertsTable {
  agent_id: string;
  since: Timestamp;
  last_at: Timestamp | null;
  alerts: Generated<string>;
}
