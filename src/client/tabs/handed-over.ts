import { createStore } from "zustand/vanilla";
import type { ChatId } from "../../domain/ids.ts";
import type { ChartPreview } from "../lib/chart-preview.ts";

interface OfChat {
  readonly chatId: ChatId | "";
}

/** Trade log entry whose decision graph is shown; null shows all of an agent's decisions. */
export const shownDecision = createStore<(OfChat & { readonly entryId: string }) | null>(
  () => null,
);

/** Preview shown instead of the market; null shows the market. */
export const shownPreview = createStore<(OfChat & { readonly preview: ChartPreview }) | null>(
  () => null,
);
