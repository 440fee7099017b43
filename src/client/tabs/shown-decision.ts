import { createStore } from "zustand/vanilla";

/** Trade log entry whose decision graph is shown; null shows all of an agent's decisions. */
export const shownDecision = createStore<{
  readonly chatId: string;
  readonly entryId: string;
} | null>(() => null);
