import { createStore } from "zustand/vanilla";
import type { ChartPreview } from "../lib/chart-preview.ts";

/** Preview shown instead of the market; null shows the market. */
export const shownPreview = createStore<{
  readonly chatId: string;
  readonly preview: ChartPreview;
} | null>(() => null);

export const forgetPreview = (): void => shownPreview.setState(null, true);
