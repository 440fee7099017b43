import type { AgentFill } from "../../../lib/dialogs.ts";
import { findMarket } from "../../../../venues/profiles.ts";
import { templatesFor } from "../../../../strategy/templates.ts";
import type { AgentForm } from "../agent-form.ts";
import { applyAgentFile, fieldChanges } from "./apply-agent-file.ts";
import { reduceAgentForm } from "./agent-form-reducer.ts";
import { withTemplate } from "./use-template.ts";

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
