import { createStore } from "zustand/vanilla";
import type { ChatId } from "../../domain/ids.ts";
import type { ChartPreview } from "../lib/chart-preview.ts";

/** Preview shown instead of the market; null shows the market. */
export const shownPreview = createStore<{
  readonly chatId: ChatId | "";
  readonly preview: ChartPreview;
} | null>(() => null);

export const forgetPreview = (): void => shownPreview.setState(null, true);
