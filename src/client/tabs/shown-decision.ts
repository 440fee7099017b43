import { createStore } from "zustand/vanilla";

/** The trade whose graph was asked for, by its line of the trade log; null shows all of an agent's decisions. */
export const shownDecision = createStore<{
  readonly chatId: string;
  readonly entryId: string;
} | null>(() => null);
