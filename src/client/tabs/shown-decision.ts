import { createStore } from "zustand/vanilla";
import type { ChatId } from "../../domain/ids.ts";

/** Trade log entry whose decision graph is shown; null shows all of an agent's decisions. */
export const shownDecision = createStore<{
  readonly chatId: ChatId | "";
  readonly entryId: string;
} | null>(() => null);
