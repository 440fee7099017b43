import { isPresetInterval, parseInterval } from "../../../../domain/interval.ts";
import { VENUE_PROFILES } from "../../../../venues/profiles.ts";
import { nameKey } from "../../../../domain/name-key.ts";
import type { AgentProposal } from "../../../../assistant/agent-proposal.ts";
import { CUSTOM_INTERVAL, portionOf, type AgentForm, type RuleRow } from "../agent-form.ts";
import { reduceAgentForm, type FormChange } from "./agent-form-reducer.ts";

type ProposedRule = NonNullable<AgentProposal["rules"]>[number];

const conditionsKey = (
  action: string,
  portion: number | undefined,
  parts: readonly (readonly [string, number])[],
): string =>
  JSON.stringify([
    action,
    portion ?? 100,
    ...parts.map(([name, times]) => `${nameKey(name)}\n${times}`).toSorted(),
  ]);

function keyOfRow(rule: RuleRow, nameOf: ReadonlyMap<string, string>): string {
  const { action, triggers } = rule;
  return conditionsKey(
    action,
    portionOf(rule),
    triggers.map(({ alertKey, requiredCount }) => [nameOf.get(alertKey) ?? "", requiredCount]),
  );
}

const keyOfProposed = ({ action, portion, conditions }: ProposedRule): string =>
  conditionsKey(
    action,
    portion,
    conditions.map(({ alert, times }) => [alert, times]),
  );

/** Returns the form changes for the agent's own fields; an asset the venue does not trade stays unchosen. */
export function fieldChanges(form: AgentForm, proposal: AgentProposal): readonly FormChange[] {
  const { venue, asset, interval, slippagePercent, positionSizePercent } = proposal;
  const changes: FormChange[] = [];
  if (venue !== undefined && venue !== form.venue) changes.push({ kind: "venue", venue });
  if (asset !== undefined) {
    const wanted = asset.toUpperCase().replace(/-PERP$/, "");
    const onVenue = venue ?? form.venue;
    const market = (onVenue === "" ? [] : VENUE_PROFILES[onVenue].markets).find(
      (each) => each.asset.toUpperCase() === wanted,
    );
    changes.push({ kind: "market", marketId: market?.marketId ?? "" });
  }
  const parsed = interval === undefined ? null : parseInterval(interval);
  if (interval !== undefined && isPresetInterval(interval)) {
    changes.push({ kind: "interval", interval });
  } else if (parsed !== null) {
    changes.push({ kind: "interval", interval: CUSTOM_INTERVAL });
    changes.push({ kind: "custom-interval", count: String(parsed.count), unit: parsed.unit });
  }
  if (slippagePercent !== undefined) changes.push({ kind: "slippage", percent: slippagePercent });
  if (positionSizePercent !== undefined) {
    changes.push({ kind: "position-size", percent: String(positionSizePercent) });
  }
  return changes;
}

function addAlerts(form: AgentForm, proposal: AgentProposal): AgentForm {
  const proposed = new Map((proposal.alerts ?? []).map((alert) => [nameKey(alert.name), alert]));
  const named = [
    ...(proposal.alerts ?? []).map(({ name }) => name),
    ...(proposal.rules ?? []).flatMap(({ conditions }) => conditions.map(({ alert }) => alert)),
  ];
  let next: AgentForm = {
    ...form,
    alerts: form.alerts.filter(({ id, name }) => id !== undefined || name.trim() !== ""),
  };
  for (const name of named) {
    const key = nameKey(name);
    const isKnown = next.alerts.some((alert) => nameKey(alert.name) === key);
    if (!isKnown) next = reduceAgentForm(next, { kind: "add-alert", name: name.trim() });
    const row = next.alerts.find((alert) => nameKey(alert.name) === key);
    const { description = "", condition } = proposed.get(key) ?? {};
    if (row === undefined) continue;
    const changed = {
      ...row,
      ...(!isKnown && description !== "" && { description }),
      ...(condition !== undefined && { condition }),
    };
    next = reduceAgentForm(next, { ...changed, kind: "change-alert" });
  }
  return next;
}

function addRule(form: AgentForm, { action, portion, conditions }: ProposedRule): AgentForm {
  let next = reduceAgentForm(form, { kind: "add-rule" });
  const key = next.rules.at(-1)?.key ?? "";
  next = reduceAgentForm(next, { kind: "action", key, action });
  if (portion !== undefined) next = reduceAgentForm(next, { kind: "portion", key, portion });
  const used = new Set<string>();
  for (const { alert, times } of conditions) {
    const row = next.alerts.find(({ name }) => nameKey(name) === nameKey(alert));
    if (!row || used.has(row.key)) continue;
    used.add(row.key);
    const trigger = { key, alertKey: row.key } as const;
    next = reduceAgentForm(next, { ...trigger, kind: "toggle-trigger" });
    next = reduceAgentForm(next, { ...trigger, kind: "required-count", count: times });
  }
  return next;
}

/** Replaces the rules with the proposed ones; an identical rule keeps its row and counters. */
export function replaceRules(form: AgentForm, proposed: readonly ProposedRule[]): AgentForm {
  const nameOf = new Map(form.alerts.map(({ key, name }) => [key, name]));
  const wanted = new Set(proposed.map(keyOfProposed));
  const kept = form.rules.filter((rule) => wanted.has(keyOfRow(rule, nameOf)));
  const present = new Set(kept.map((rule) => keyOfRow(rule, nameOf)));
  return proposed
    .filter((rule) => !present.has(keyOfProposed(rule)))
    .reduce(addRule, { ...form, rules: kept });
}

/** Returns the form with a model's proposal applied. Validation is left to the form's own checks. */
export function applyProposal(form: AgentForm, proposal: AgentProposal): AgentForm {
  const fields = fieldChanges(form, proposal).reduce(reduceAgentForm, form);
  const planned =
    proposal.plan === undefined
      ? fields
      : reduceAgentForm(fields, { kind: "plan", plan: proposal.plan });
  const named = addAlerts(planned, proposal);
  return proposal.rules === undefined ? named : replaceRules(named, proposal.rules);
}
