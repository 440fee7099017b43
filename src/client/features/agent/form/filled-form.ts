import type { AgentFill } from "../../../lib/dialogs.ts";
import { findMarket, VENUE_PROFILES } from "../../../../venues/profiles.ts";
import { templatesFor } from "../../../../strategy/templates.ts";
import {
  type AgentForm,
  type AlertRow,
  CUSTOM_INTERVAL,
  intervalText,
  portionOf,
  type RuleRow,
  reduceAgentForm,
  type FormChange,
} from "../agent-form.ts";
import { withTemplate } from "./use-template.ts";
import type { AgentProposal } from "../../../../assistant/agent-proposal.ts";
import { isPresetInterval, parseInterval } from "../../../../domain/interval.ts";
import type { AgentFile } from "../../../../contract/agent-file.ts";
import { nameKey } from "../../../../domain/name-key.ts";

/** Returns a saved agent's form as that of a new one: without the ids and counts of what is saved. */
const copied = (form: AgentForm): AgentForm => ({
  ...form,
  alerts: form.alerts.map(({ id: _id, ...alert }) => alert),
  rules: form.rules.map(({ id: _id, triggers, ...rule }) => ({
    ...rule,
    triggers: triggers.map(({ alertKey, requiredCount }) => ({ alertKey, requiredCount })),
  })),
});

type OnMarket = Extract<AgentFill, { readonly kind: "market" | "starter" }>;

/** Returns the form on a market, with the starter that the fill names. */
function onMarket(form: AgentForm, fill: OnMarket): AgentForm {
  const { network, venue, marketId } = fill;
  const here = { ...form, network };
  const wanted = {
    venue,
    asset: marketId,
    ...(fill.kind === "starter" && { interval: fill.interval }),
  };
  const placed = fieldChanges(here, wanted).reduce(reduceAgentForm, here);
  const kind = findMarket(venue, marketId)?.kind;
  const starters = kind && fill.kind === "starter" ? templatesFor(kind) : [];
  const starter = starters.find((each) => fill.kind === "starter" && each.id === fill.id);
  return starter ? withTemplate(placed, starter) : placed;
}

/** Returns the form filled with what the dialog was opened with; `source` is the saved form that a copy is made of. */
export function filledForm(form: AgentForm, fill: AgentFill, source: AgentForm): AgentForm {
  switch (fill.kind) {
    case "file":
      return applyAgentFile(form, fill.file);
    case "copy":
      return copied(source);
    case "market":
    case "starter":
      return onMarket(form, fill);
  }
}

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
function fieldChanges(form: AgentForm, proposal: AgentProposal): readonly FormChange[] {
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
  if (slippagePercent !== undefined)
    changes.push({ kind: "set", fields: { slippage: slippagePercent } });
  if (positionSizePercent !== undefined) {
    changes.push({ kind: "set", fields: { positionSizePercent: String(positionSizePercent) } });
  }
  return changes;
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
function replaceRules(form: AgentForm, proposed: readonly ProposedRule[]): AgentForm {
  const nameOf = new Map(form.alerts.map(({ key, name }) => [key, name]));
  const wanted = new Set(proposed.map(keyOfProposed));
  const kept = form.rules.filter((rule) => wanted.has(keyOfRow(rule, nameOf)));
  const present = new Set(kept.map((rule) => keyOfRow(rule, nameOf)));
  return proposed
    .filter((rule) => !present.has(keyOfProposed(rule)))
    .reduce(addRule, { ...form, rules: kept });
}

/** Replaces the alerts with the file's; an alert of the same name keeps its row and id. */
function replaceAlerts(form: AgentForm, { alerts }: AgentFile): AgentForm {
  const rowOf = new Map(form.alerts.map((row) => [nameKey(row.name), row]));
  const rows = alerts.map(({ name, description = "", condition = null }, index): AlertRow => {
    const known = rowOf.get(nameKey(name));
    const said = { name: known?.name ?? name.trim(), description, condition };
    return known === undefined
      ? { key: `new-${form.nextKey + index}`, ...said }
      : { ...known, ...said };
  });
  return { ...form, alerts: rows, nextKey: form.nextKey + alerts.length };
}

/** Returns the form with an agent file applied. Validation is left to the form's own checks. */
export function applyAgentFile(form: AgentForm, file: AgentFile): AgentForm {
  const fields = fieldChanges(form, {
    venue: file.venue,
    // The name stays when the file trades the same market
    asset: file.venue === form.venue && file.market === form.marketId ? undefined : file.market,
    interval: file.interval === intervalText(form) ? undefined : file.interval,
    slippagePercent: String(file.slippagePercent),
    positionSizePercent: file.positionSizePercent,
  }).reduce(reduceAgentForm, form);
  const { plan = null, leverage = 1 } = file;
  const filled = { ...fields, maxSignalAge: String(file.maxSignalAgeSeconds), plan, leverage };
  return replaceRules(replaceAlerts(filled, file), file.rules);
}
