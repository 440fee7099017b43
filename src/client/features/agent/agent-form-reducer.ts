import { buildAgentName, parseAgentName } from "../../../domain/agent-name.ts";
import { MAX_REQUIRED_COUNT } from "../../../domain/agent-draft.ts";
import type { IntervalUnit } from "../../../domain/interval.ts";
import { VENUE_PROFILES, allMarkets, findMarket } from "../../../venues/profiles.ts";
import type { Signal } from "../../../domain/signal.ts";
import type { VenueId } from "../../../domain/venue-id.ts";
import {
  CUSTOM_INTERVAL,
  intervalText,
  type AgentForm,
  type AlertRow,
  type RuleRow,
} from "./agent-form.ts";

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
