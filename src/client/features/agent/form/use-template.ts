import { type StrategyTemplate, templatesFor } from "../../../../strategy/templates.ts";
import { findMarket } from "../../../../venues/profiles.ts";
import type { GalleryDraft } from "./gallery.tsx";
import { nameKey } from "../../../../domain/name-key.ts";
import type { AgentForm } from "../agent-form.ts";

/** Returns the form with its alerts and rules replaced by a template's; an alert of the same name keeps its row. */
export function withTemplate(form: AgentForm, template: StrategyTemplate): AgentForm {
  let { nextKey } = form;
  const newKey = () => `new-${nextKey++}`;
  const alerts = template.alerts.map((alert) => {
    const same = form.alerts.find(({ name }) => nameKey(name) === nameKey(alert.name));
    return { ...(same ?? { key: newKey() }), ...alert };
  });
  const keyOf = new Map(alerts.map(({ name, key }) => [name, key]));
  const rules = template.rules.map(({ action, conditions }) => ({
    key: newKey(),
    action,
    triggers: conditions.map(({ alertName, requiredCount }) => ({
      alertKey: keyOf.get(alertName) ?? "",
      requiredCount,
    })),
  }));
  const positionSizePercent = String(template.positionSizePercent);
  return { ...form, alerts, rules, positionSizePercent, plan: template.plan, leverage: 1, nextKey };
}

const counted = (count: number, word: string): string[] =>
  count === 0 ? [] : [`${count} ${word}${count === 1 ? "" : "s"}`];

/** Names the alerts, rules and plan a template would replace; null when there are none. */
export function replacedByTemplate({ alerts, rules, plan }: AgentForm): string | null {
  const named = alerts.filter(({ id, name }) => id !== undefined || name.trim() !== "");
  const words = [
    ...counted(named.length, "alert"),
    ...counted(rules.length, "rule"),
    ...(plan === null ? [] : ["the plan"]),
  ];
  const last = words.pop();
  return last === undefined
    ? null
    : [...(words.length > 0 ? [words.join(", ")] : []), last].join(" and ");
}

/** Returns the starters on a form's market and interval; none while no market is chosen. */
export function starterDrafts(form: AgentForm): readonly GalleryDraft[] {
  const kind = form.venue === "" ? undefined : findMarket(form.venue, form.marketId)?.kind;
  if (kind === undefined) return [];
  return templatesFor(kind).map((template) => ({
    id: template.id,
    name: template.name,
    idea: template.idea,
    weakness: template.weakness,
    form: withTemplate(form, template),
  }));
}
