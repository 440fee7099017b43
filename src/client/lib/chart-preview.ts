import type { Bar } from "../../strategy/bar-times.ts";
import { createStore } from "zustand/vanilla";

/** Hypothetical event at a bar of a preview. */
export interface PreviewMark {
  /** Time within its bar, Unix milliseconds. */
  readonly atMs: number;
  readonly kind: "buy" | "sell" | "fired";
  /** Label; empty when the mark alone is enough. */
  readonly text: string;
}

/** Preview for the chart: bars and hypothetical events on them. */
export interface ChartPreview {
  /** Description, one sentence. */
  readonly title: string;
  /** For instance SOL. */
  readonly asset: string;
  readonly intervalMinutes: number;
  readonly source: string;
  /** Oldest first. */
  readonly bars: readonly Bar[];
  /** Oldest first. */
  readonly marks: readonly PreviewMark[];
  /** Initially visible range, Unix milliseconds. */
  readonly view: { readonly fromMs: number; readonly toMs: number };
  /** Present where the bars from `fromMs` on are shown one after the other, all of them after `forMs`. */
  readonly played?: { readonly fromMs: number; readonly forMs: number };
}

/** Takes a picture of the chart that is shown, as a data URL; null where it has no candles. */
type TakePicture = () => string | null;

/** What the chart offers to other parts of the page; null while no chart is shown. */
export const chartPicture = createStore<{ readonly take: TakePicture | null }>(() => ({
  take: null,
}));

/** Offers a chart's picture until the returned function is called. */
export function offerChartPicture(take: TakePicture): () => void {
  chartPicture.setState({ take });
  return () => {
    if (chartPicture.getState().take === take) chartPicture.setState({ take: null });
  };
}
