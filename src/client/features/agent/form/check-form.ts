import { ERRORS } from "../../../../contract/errors.ts";
import type { CompleteDraft } from "../../../../domain/agent-draft.ts";
import { validateAgentDraft } from "../../../../domain/agent-validation.ts";
import { isPriced, UNPRICED, VENUE_PROFILES } from "../../../../venues/profiles.ts";
import { MAX_SIGNAL_AGE_SECONDS } from "../../../../domain/freshness.ts";
import { isIntervalInRange, parseInterval } from "../../../../domain/interval.ts";
import { findPlanFault, type PlanContext } from "../../../../domain/plan/check-plan.ts";
import { parseSlippagePercent } from "../../../../domain/slippage.ts";
import { CUSTOM_INTERVAL, intervalText, portionOf, type AgentForm } from "../agent-form.ts";

/** Inline text of a custom interval that is out of range. */
export const INTERVAL_HINT = "Must be between 28 minutes and 1 week";

/** Field of the set-up tab that is validated. */
export type FieldName = "name" | "venue" | "market" | "interval" | "slippage" | "size" | "age";

/** First fault of the form with the catalogue's text and its location. */
export interface FormProblem {
  readonly title: string;
  readonly message: string;
  readonly place:
    | {
        readonly kind: "field";
        readonly name: FieldName;
      }
    | { readonly kind: "alerts" }
    | { readonly kind: "alert"; readonly key: string }
    /** The condition's own fields show the fault */
    | { readonly kind: "condition"; readonly key: string }
    | { readonly kind: "rule"; readonly key: string }
    /** The plan's own fields show the fault */
    | { readonly kind: "plan" };
}

/** Returns the first fault of the form's plan; null while it has none, or no venue. */
export function planFault(
  { plan, leverage, venue, positionSizePercent }: AgentForm,
  costs?: PlanContext["costs"],
) {
  if (venue === "" || (plan === null && leverage === 1)) return null;
  return findPlanFault(plan, {
    leverage,
    positionSizePercent: Number(positionSizePercent),
    venue: VENUE_PROFILES[venue],
    costs,
  });
}

/** Returns the form in wire terms, including rows without name or trigger, so that the answer can list them. */
export function draftOfForm(form: AgentForm): CompleteDraft {
  const nameOf = new Map(form.alerts.map((alert) => [alert.key, alert.name.trim()]));
  return {
    agent: {
      name: form.name,
      marketId: form.marketId,
      interval: intervalText(form),
      venue: form.venue,
      slippagePercent: form.slippage,
    },
    alerts: form.alerts.map(({ id, name, description, condition }) => ({
      id,
      name: name.trim(),
      description,
      condition,
    })),
    rules: form.rules.map((rule) => ({
      id: rule.id,
      action: rule.action,
      portion: portionOf(rule),
      conditions: rule.triggers.map(({ alertKey, requiredCount }) => ({
        alertName: nameOf.get(alertKey) ?? "",
        requiredCount,
      })),
    })),
  };
}

const FIELD_PLACES: Readonly<Record<string, FormProblem["place"]>> = {
  "agent.marketId": { kind: "field", name: "market" },
  "agent.name": { kind: "field", name: "name" },
  "agent.venue": { kind: "field", name: "venue" },
  "agent.interval": { kind: "field", name: "interval" },
  "agent.slippagePercent": { kind: "field", name: "slippage" },
};

function placeOf(field: string, form: AgentForm): FormProblem["place"] {
  const known = FIELD_PLACES[field];
  if (known !== undefined) return known;
  const [part, index = "", name] = field.split(".");
  const at = Number.parseInt(index, 10);
  const alert = part === "alerts" ? form.alerts[at] : undefined;
  if (alert !== undefined) {
    return { kind: name === "condition" ? "condition" : "alert", key: alert.key };
  }
  const rule = part === "rules" ? form.rules[at] : undefined;
  return rule === undefined ? { kind: "alerts" } : { kind: "rule", key: rule.key };
}

/** Returns the form without rows that a save drops, so that fault indexes match the remaining rows. */
function withoutDropped(form: AgentForm): AgentForm {
  const alerts = form.alerts.filter((alert) => alert.name.trim() !== "");
  const named = new Set(alerts.map((alert) => alert.key));
  const rules = form.rules.filter((rule) =>
    rule.triggers.some((trigger) => named.has(trigger.alertKey)),
  );
  return { ...form, alerts, rules };
}

/**
 * Returns the first fault in the specified order; null when the form can be saved. With the costs of its market a stop
 * behind the liquidation is one.
 */
export function checkForm(form: AgentForm, costs?: PlanContext["costs"]): FormProblem | null {
  const kept = withoutDropped(form);
  const result = validateAgentDraft(draftOfForm(kept), VENUE_PROFILES);
  if (!result.ok) {
    const { reason, field, message = ERRORS[reason].message } = result;
    return { title: ERRORS[reason].title, message, place: placeOf(field, kept) };
  }
  if (!isPriced(result.value.agent.market, form.network)) {
    const { title } = ERRORS.market_unknown;
    return { title, message: UNPRICED, place: { kind: "field", name: "market" } };
  }
  const wrongNumber = (name: FieldName, message: string): FormProblem => ({
    title: "Error",
    message,
    place: { kind: "field", name },
  });
  if (!isWholeUpTo(form.positionSizePercent, 100)) {
    return wrongNumber("size", "Position size must be between 1% and 100%.");
  }
  if (!isWholeUpTo(form.maxSignalAge, MAX_SIGNAL_AGE_SECONDS)) {
    return wrongNumber("age", `Alert age must be between 1 and ${MAX_SIGNAL_AGE_SECONDS} seconds.`);
  }
  const fault = planFault(form, costs);
  if (fault === null) return null;
  return { title: ERRORS.plan_invalid.title, message: fault.message, place: { kind: "plan" } };
}

const isWholeUpTo = (text: string, most: number): boolean =>
  /^\d{1,9}$/.test(text) && Number(text) >= 1 && Number(text) <= most;

/** Returns the error text for a custom interval that is out of range; null otherwise. */
export function intervalFault(form: AgentForm): string | null {
  if (form.interval !== CUSTOM_INTERVAL || form.customCount === "") return null;
  const parsed = parseInterval(intervalText(form));
  return parsed === null || !isIntervalInRange(parsed) ? INTERVAL_HINT : null;
}

/** Returns whether a slippage input is accepted while typing: at most 5, or empty. */
export function acceptsSlippage(text: string): boolean {
  if (text === "" || /^0?\.?0?$/.test(text)) return true;
  return parseSlippagePercent(text) !== null;
}
