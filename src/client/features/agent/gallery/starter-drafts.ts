import { findMarket } from "../../../../venues/profiles.ts";
import { templatesFor } from "../../../../strategy/templates.ts";
import type { AgentForm } from "../agent-form.ts";
import { withTemplate } from "../form/use-template.ts";
import type { GalleryDraft } from "./gallery.tsx";

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
