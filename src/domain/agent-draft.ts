import type { AlertCondition } from "./condition/condition.ts";
import type { Interval } from "./interval.ts";
import type { Market } from "./market.ts";
import type { Signal } from "./signal.ts";
import type { VenueId } from "./venue-id.ts";

/** Share of free collateral one entry uses when the agent names none, in percent. */
export const DEFAULT_POSITION_SIZE_PERCENT = 100;

/** Largest number of firings a condition can require of one alert. */
export const MAX_REQUIRED_COUNT = 60;

/** An agent's own fields as a form holds them; blank texts mean "not chosen yet". */
export interface AgentFieldsDraft {
  readonly name: string;
  /** Market id, for instance SOL-PERP. */
  readonly marketId: string;
  /** Like 30m or 1h; left out, it is read from a built agent name. */
  readonly interval?: string | undefined;
  readonly venue: VenueId | "";
  /** Percent, as a number or as decimal text. */
  readonly slippagePercent?: number | string | undefined;
}

export interface AlertDraft {
  readonly id?: string | undefined;
  readonly name: string;
  readonly description?: string | undefined;
  /** Undefined keeps the stored condition, null removes it. */
  readonly condition?: AlertCondition | null | undefined;
}

export interface RuleDraft {
  readonly id?: string | undefined;
  readonly conditions: readonly {
    readonly alertName: string;
    readonly requiredCount?: number | undefined;
  }[];
  readonly action: Signal | "";
  /** Percent of the position that a closing rule closes; absent: all of it. */
  readonly portion?: number | undefined;
}

/** A whole agent as the dialog sends it. */
export interface CompleteDraft {
  readonly agent: AgentFieldsDraft;
  readonly alerts: readonly AlertDraft[];
  readonly rules: readonly RuleDraft[];
}

/** An agent's own fields after every check. */
export interface AgentFields {
  /** Trimmed. */
  readonly name: string;
  readonly nameKey: string;
  readonly market: Market;
  readonly venue: VenueId;
  /** The interval as the user wrote it, for instance 90m. */
  readonly intervalText: string;
  readonly interval: Interval;
  /** Undefined when the draft keeps the stored slippage. */
  readonly slippageBps: number | undefined;
}

export interface ValidAlert {
  readonly id: string | undefined;
  /** Trimmed. */
  readonly name: string;
  readonly nameKey: string;
  readonly description: string | undefined;
  /** Undefined keeps the stored condition, null removes it. */
  readonly condition: AlertCondition | null | undefined;
}

export interface ValidRule {
  readonly id: string | undefined;
  readonly conditions: readonly {
    readonly alertName: string;
    readonly alertNameKey: string;
    readonly requiredCount: number;
  }[];
  readonly action: Signal;
  /** Percent of the position that a closing rule closes, 100 for other rules. */
  readonly portion: number;
}

/** Parts of a draft that a save drops; `index` counts the rules of the draft from 0. */
export interface DroppedParts {
  /** Alerts without a name. */
  readonly alerts: number;
  readonly rules: readonly {
    readonly index: number;
    readonly reason: "no_conditions" | "no_action";
  }[];
}

/** Why a draft cannot be saved; each is a code of the error catalogue. */
export type ValidationReason =
  | "alerts_missing"
  | "rule_action_missing"
  | "agent_incomplete"
  | "venue_missing"
  | "interval_missing"
  | "interval_out_of_range"
  | "alert_name_duplicate"
  | "rule_conflict"
  | "rule_sides_conflict"
  | "short_needs_perpetuals"
  | "alert_unknown"
  | "alert_name_invalid"
  | "condition_invalid"
  | "market_unknown"
  | "slippage_out_of_range"
  | "validation_failed";

/** The first fault of a draft. `field` is its path, for instance `rules.1.action`. */
export interface Invalid {
  readonly ok: false;
  readonly reason: ValidationReason;
  readonly field: string;
  /** Replaces the catalogue's message where more can be said. */
  readonly message?: string;
}

/** Returns the validation failure of one field. */
export function invalid(reason: ValidationReason, field: string): Invalid {
  return { ok: false, reason, field };
}
