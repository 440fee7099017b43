import type { ChatId } from "../../domain/ids.ts";
import { showTab } from "./open-tabs.ts";
import { shownDecision } from "./shown-decision.ts";

/** Opens the decision graph of one trade log entry. */
export function showDecision(chatId: ChatId | "", entryId: string): void {
  shownDecision.setState({ chatId, entryId }, true);
  showTab("causal-factor-graphs");
}
