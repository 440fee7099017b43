import { showTab } from "./open-tabs.ts";
import { simulatedDraft, type SimulatedDraft } from "./simulated-draft.ts";

/** Keeps a draft and shows what it would have done. */
export function simulateDraft(draft: SimulatedDraft): void {
  simulatedDraft.setState(draft, true);
  showTab("simulation");
}
