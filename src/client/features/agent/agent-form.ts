import type { Agent } from "../../../contract/agent.ts";
import type { Alert } from "../../../contract/alerts.ts";
import type { Rule } from "../../../contract/rules.ts";
import { DEFAULT_POSITION_SIZE_PERCENT, MAX_REQUIRED_COUNT } from "../../../domain/agent-draft.ts";
import { parseAgentName, buildAgentName } from "../../../domain/agent-name.ts";
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
import { VENUE_PROFILES, allMarkets, findMarket } from "../../../venues/profiles.ts";

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

/** User action in the dialog. */
export type FormChange =
  | { readonly kind: "load"; readonly form: AgentForm }
  | { readonly kind: "name"; readonly name: string }
  | {
      readonly kind: "set";
      readonly fields: Partial<
        Pick<
          AgentForm,
          "network" | "slippage" | "positionSizePercent" | "maxSignalAge" | "plan" | "leverage"
        >
      >;
    }
  | { readonly kind: "venue"; readonly venue: VenueId }
  | { readonly kind: "market"; readonly marketId: string }
  | { readonly kind: "interval"; readonly interval: string }
  | { readonly kind: "custom-interval"; readonly count: string; readonly unit: IntervalUnit }
  | { readonly kind: "add-alert"; readonly name?: string; readonly forRule?: string }
  | { readonly kind: "change-alert"; readonly row: AlertRow }
  | { readonly kind: "delete-alert"; readonly key: string }
  | { readonly kind: "add-rule" }
  | { readonly kind: "delete-rule"; readonly key: string }
  | { readonly kind: "action"; readonly key: string; readonly action: Signal }
  | { readonly kind: "portion"; readonly key: string; readonly portion: number }
  | { readonly kind: "toggle-trigger"; readonly key: string; readonly alertKey: string }
  | {
      readonly kind: "required-count";
      readonly key: string;
      readonly alertKey: string;
      readonly count: number;
    };

/** Returns the new venue's market for the same asset; blank when it has none. */
export function marketOnVenue(form: AgentForm, venue: VenueId): string {
  const asset = allMarkets().find(
    (market) => market.marketId === form.marketId && market.venue === (form.venue || venue),
  )?.asset;
  return VENUE_PROFILES[venue].markets.find((market) => market.asset === asset)?.marketId ?? "";
}

/** Returns why another venue clears the form's asset; null when it stays or is not chosen. */
export function clearedReason(form: AgentForm, venue: VenueId): string | null {
  if (form.marketId === "" || marketOnVenue(form, venue) !== "") return null;
  const market = form.venue === "" ? undefined : findMarket(form.venue, form.marketId);
  const { label, markets } = VENUE_PROFILES[venue];
  return market?.assetClass === "stock" && markets.every((each) => each.assetClass === "crypto")
    ? `${label} supports crypto only.`
    : `${label} does not trade ${market?.asset ?? form.marketId}.`;
}

/** Regenerates the name from asset and interval; keeps a typed name in `replacedName`. */
function renamed(form: AgentForm): AgentForm {
  const isTyped = form.name.trim() !== "" && parseAgentName(form.name) === null;
  const named = { ...form, replacedName: isTyped ? form.name : form.replacedName };
  const asset = form.venue === "" ? undefined : findMarket(form.venue, form.marketId)?.asset;
  const interval = intervalText(form);
  return asset === undefined || interval === ""
    ? { ...named, name: "" }
    : { ...named, name: buildAgentName(asset, interval) };
}

function changeRule(form: AgentForm, key: string, change: (rule: RuleRow) => RuleRow): AgentForm {
  return { ...form, rules: form.rules.map((rule) => (rule.key === key ? change(rule) : rule)) };
}

function toggleTrigger(rule: RuleRow, alertKey: string): RuleRow {
  const isSet = rule.triggers.some((trigger) => trigger.alertKey === alertKey);
  return {
    ...rule,
    triggers: isSet
      ? rule.triggers.filter((trigger) => trigger.alertKey !== alertKey)
      : [...rule.triggers, { alertKey, requiredCount: 1 }],
  };
}

function addAlert(form: AgentForm, name: string, forRule: string | undefined): AgentForm {
  const key = `new-${form.nextKey}`;
  const added: AgentForm = {
    ...form,
    alerts: [...form.alerts, { key, name, description: "", condition: null }],
    nextKey: form.nextKey + 1,
  };
  return forRule === undefined
    ? added
    : changeRule(added, forRule, (rule) => toggleTrigger(rule, key));
}

function deleteAlert(form: AgentForm, key: string): AgentForm {
  return {
    ...form,
    alerts: form.alerts.filter((alert) => alert.key !== key),
    rules: form.rules.map((rule) => ({
      ...rule,
      triggers: rule.triggers.filter((trigger) => trigger.alertKey !== key),
    })),
  };
}

/** Returns the form after a change. Pure, so that tests can replay user actions. */
export function reduceAgentForm(form: AgentForm, change: FormChange): AgentForm {
  switch (change.kind) {
    case "load":
      return change.form;
    case "name":
      return { ...form, name: change.name, replacedName: null };
    case "set":
      return { ...form, ...change.fields };
    case "venue":
      return renamed({
        ...form,
        marketId: marketOnVenue(form, change.venue),
        venue: change.venue,
      });
    case "market":
      return renamed({ ...form, marketId: change.marketId });
    case "interval":
      return renamed({
        ...form,
        interval: change.interval,
        customCount: change.interval === CUSTOM_INTERVAL ? form.customCount : "",
      });
    case "custom-interval":
      return renamed({ ...form, customCount: change.count, customUnit: change.unit });
    case "add-alert":
      return addAlert(form, change.name ?? "", change.forRule);
    case "change-alert":
      return {
        ...form,
        alerts: form.alerts.map((alert) => (alert.key === change.row.key ? change.row : alert)),
      };
    case "delete-alert":
      return deleteAlert(form, change.key);
    case "add-rule":
      return {
        ...form,
        rules: [...form.rules, { key: `new-${form.nextKey}`, triggers: [], action: "" }],
        nextKey: form.nextKey + 1,
      };
    case "delete-rule":
      return { ...form, rules: form.rules.filter((rule) => rule.key !== change.key) };
    case "action":
      return changeRule(form, change.key, (rule) => ({ ...rule, action: change.action }));
    case "portion":
      return changeRule(form, change.key, (rule) => ({ ...rule, portion: change.portion }));
    case "toggle-trigger":
      return changeRule(form, change.key, (rule) => toggleTrigger(rule, change.alertKey));
    case "required-count": {
      const requiredCount = Math.min(MAX_REQUIRED_COUNT, Math.max(1, change.count));
      return changeRule(form, change.key, (rule) => ({
        ...rule,
        triggers: rule.triggers.map((trigger) =>
          trigger.alertKey === change.alertKey ? { ...trigger, requiredCount } : trigger,
        ),
      }));
    }
  }
}
