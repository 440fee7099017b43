import { showTab } from "./open-tabs.ts";
import { keepDraft, type SimulatedDraft } from "./simulated-draft.ts";

/** Keeps a draft and opens its simulation. */
export function simulateDraft(draft: SimulatedDraft): void {
  keepDraft(draft);
  showTab("simulation");
}
