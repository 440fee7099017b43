import type { Agent } from "../../../contract/agent.ts";
import type { Alert } from "../../../contract/alerts.ts";
import type { Rule } from "../../../contract/rules.ts";
import { DEFAULT_POSITION_SIZE_PERCENT } from "../../../domain/agent-draft.ts";
import { parseAgentName } from "../../../domain/agent-name.ts";
import { nameKey } from "../../../domain/name-key.ts";
import { MAX_SIGNAL_AGE_SECONDS } from "../../../domain/freshness.ts";
import { isPresetInterval, parseInterval, type IntervalUnit } from "../../../domain/interval.ts";
import type { AlertCondition } from "../../../domain/condition/condition.ts";
import type { Plan } from "../../../domain/plan/plan.ts";
import type { PlanSides } from "../../../domain/plan/plan-words.ts";
import type { Network } from "../../../domain/network.ts";
import { isCloseSignal, type Signal } from "../../../domain/signal.ts";
import { DEFAULT_SLIPPAGE_BPS, formatSlippagePercent } from "../../../domain/slippage.ts";
import { DEFAULT_VENUE, type VenueId } from "../../../domain/venue-id.ts";
import { VENUE_PROFILES } from "../../../venues/profiles.ts";

/** Value of the interval select that opens the number and unit fields. */
export const CUSTOM_INTERVAL = "custom";

export interface AlertRow {
  readonly key: string;
  readonly id?: string;
  readonly name: string;
  readonly description: string;
  /** Condition, possibly incomplete while edited; null when the alert only comes from outside. */
  readonly condition: AlertCondition | null;
}

/** Trigger of a rule. It refers to the alert's row, so that renaming an alert does not affect it. */
export interface TriggerRow {
  readonly alertKey: string;
  readonly requiredCount: number;
  /** Number of times the alert has fired since the last reset, for saved rules. */
  readonly count?: number;
}

export interface RuleRow {
  readonly key: string;
  readonly id?: string;
  readonly triggers: readonly TriggerRow[];
  readonly action: Signal | "";
  /** Percent of the position that a closing rule closes, NaN while it cannot be read; absent: all of it. */
  readonly portion?: number;
}

/** State of the whole dialog; blank text means "not chosen". */
export interface AgentForm {
  readonly name: string;
  /** Typed name that a new asset or interval replaced; null without one. */
  readonly replacedName: string | null;
  readonly venue: VenueId | "";
  readonly marketId: string;
  /** A preset, `custom`, or blank. */
  readonly interval: string;
  readonly customCount: string;
  readonly customUnit: IntervalUnit;
  readonly network: Network;
  /** Percent text. */
  readonly slippage: string;
  readonly positionSizePercent: string;
  /** Seconds. */
  readonly maxSignalAge: string;
  /** What is done with an open position, its figures NaN while they cannot be read; null: nothing. */
  readonly plan: Plan | null;
  readonly leverage: number;
  readonly alerts: readonly AlertRow[];
  readonly rules: readonly RuleRow[];
  /** Key of the next new row. */
  readonly nextKey: number;
}

/** Returns the fault of the alerts as a whole, of one alert or of one rule; null without one. */
export type FormErrorOf = (kind: "alerts" | "alert" | "rule", key?: string) => string | null;

const DEFAULT_INTERVAL = "1h";

/** Returns the form of an agent that does not exist yet. */
export function newAgentForm(network: Network): AgentForm {
  return {
    name: `Agent ** SOL-${DEFAULT_INTERVAL}`,
    replacedName: null,
    venue: DEFAULT_VENUE,
    marketId: VENUE_PROFILES[DEFAULT_VENUE].markets[0]?.marketId ?? "",
    interval: DEFAULT_INTERVAL,
    customCount: "",
    customUnit: "m",
    network,
    slippage: formatSlippagePercent(DEFAULT_SLIPPAGE_BPS),
    positionSizePercent: String(DEFAULT_POSITION_SIZE_PERCENT),
    maxSignalAge: String(MAX_SIGNAL_AGE_SECONDS),
    plan: null,
    leverage: 1,
    alerts: [{ key: "1", name: "", description: "", condition: null }],
    rules: [],
    nextKey: 2,
  };
}

function intervalFields(text: string): Pick<AgentForm, "interval" | "customCount" | "customUnit"> {
  const parsed = parseInterval(text);
  if (parsed === null || isPresetInterval(text)) {
    return { interval: parsed === null ? "" : text, customCount: "", customUnit: "m" };
  }
  return { interval: CUSTOM_INTERVAL, customCount: String(parsed.count), customUnit: parsed.unit };
}

type FormAgent = Pick<
  Agent,
  | "name"
  | "venue"
  | "marketId"
  | "interval"
  | "network"
  | "slippagePercent"
  | "positionSizePercent"
  | "maxSignalAgeSeconds"
  | "plan"
  | "leverage"
>;

/** Returns the form of a saved agent; its interval is read from its name when the answer has none. */
export function formOfAgent(
  agent: FormAgent,
  alerts: readonly Alert[],
  rules: readonly Pick<Rule, "id" | "action" | "portion" | "conditions">[],
): AgentForm {
  const rows = alerts.map(({ id, name, description, condition }) => ({
    key: `alert-${id}`,
    id,
    name,
    description,
    condition: condition ?? null,
  }));
  const keyOf = new Map(rows.map((row) => [nameKey(row.name), row.key]));
  return {
    name: agent.name,
    replacedName: null,
    venue: agent.venue,
    marketId: agent.marketId,
    ...intervalFields(agent.interval || (parseAgentName(agent.name)?.interval ?? "")),
    network: agent.network,
    slippage: String(agent.slippagePercent),
    positionSizePercent: String(agent.positionSizePercent),
    maxSignalAge: String(agent.maxSignalAgeSeconds),
    plan: agent.plan ?? null,
    leverage: agent.leverage ?? 1,
    alerts: rows,
    rules: rules.map((rule) => ({
      key: `rule-${rule.id}`,
      id: rule.id,
      action: rule.action,
      ...(rule.portion !== undefined && { portion: rule.portion }),
      triggers: rule.conditions.flatMap(({ alertName, requiredCount, count }) => {
        const alertKey = keyOf.get(nameKey(alertName));
        return alertKey === undefined ? [] : [{ alertKey, requiredCount, count }];
      }),
    })),
    nextKey: 1,
  };
}

/** Returns the interval in wire format; blank when none is chosen. */
export function intervalText(form: AgentForm): string {
  return form.interval === CUSTOM_INTERVAL
    ? `${form.customCount}${form.customUnit}`
    : form.interval;
}

/** Returns the part of the position that a rule closes; undefined where it is all of it. */
export const portionOf = ({ action, portion = 100 }: RuleRow): number | undefined =>
  action !== "" && isCloseSignal(action) && portion !== 100 ? portion : undefined;

/** Returns the sides that the form's rules open; both while they open none. */
export function sidesOf({ rules }: AgentForm): PlanSides {
  const opened = (["long", "short"] as const).filter((side) =>
    rules.some(({ action }) => action === (side === "long" ? "OPEN_LONG" : "OPEN_SHORT")),
  );
  return opened.length === 0 ? ["long", "short"] : opened;
}
