import { createStore } from "zustand/vanilla";
import { showTab } from "./open-tabs.ts";

/** The trade whose graph was asked for, by its line of the trade log; null shows all of an agent's decisions. */
export const shownDecision = createStore<{
  readonly chatId: string;
  readonly entryId: string;
} | null>(() => null);

/** Opens the graph of one trade. */
export function showDecision(chatId: string, entryId: string): void {
  shownDecision.setState({ chatId, entryId }, true);
  showTab("causal-factor-graphs");
}
