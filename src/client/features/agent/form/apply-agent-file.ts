import type { AgentFile } from "../../../../contract/agent-file.ts";
import { nameKey } from "../../../../domain/name-key.ts";
import { type AgentForm, type AlertRow, intervalText } from "../agent-form.ts";
import { reduceAgentForm } from "./agent-form-reducer.ts";
import { fieldChanges, replaceRules } from "./apply-proposal.ts";

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
  return replaceRules(replaceAlerts(planned, file), file.rules);
}
