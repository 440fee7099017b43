import type { AgentProposal } from "../../../../assistant/agent-proposal.ts";
import { isPresetInterval, parseInterval } from "../../../../domain/interval.ts";
import { VENUE_PROFILES } from "../../../../venues/profiles.ts";
import type { AgentFile } from "../../../../contract/agent-file.ts";
import { nameKey } from "../../../../domain/name-key.ts";
import {
  type AgentForm,
  type AlertRow,
  CUSTOM_INTERVAL,
  intervalText,
  portionOf,
  type RuleRow,
} from "../agent-form.ts";
import { type FormChange, reduceAgentForm } from "./agent-form-reducer.ts";

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
  const aged = reduceAgentForm(fields, {
    kind: "max-signal-age",
    seconds: String(file.maxSignalAgeSeconds),
  });
  const planned = reduceAgentForm(aged, { kind: "plan", plan: file.plan ?? null });
  const levered = reduceAgentForm(planned, { kind: "leverage", leverage: file.leverage ?? 1 });
  return replaceRules(replaceAlerts(levered, file), file.rules);
}
