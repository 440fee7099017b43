import { showTab } from "./open-tabs.ts";
import { shownDecision } from "./shown-decision.ts";

/** Opens the graph of one trade. */
export function showDecision(chatId: string, entryId: string): void {
  shownDecision.setState({ chatId, entryId }, true);
  showTab("causal-factor-graphs");
}
