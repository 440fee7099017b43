import type { Bar } from "../../strategy/bar.ts";

/** Something that would have happened, at a bar of a preview. */
export interface PreviewMark {
  /** Inside the bar it belongs to, Unix milliseconds. */
  readonly atMs: number;
  readonly kind: "buy" | "sell" | "fired";
  /** Empty where a mark says enough. */
  readonly text: string;
}

/** What one part of the page asks the chart to show: bars and what would have happened on them. */
export interface ChartPreview {
  /** Says what it is, one sentence. */
  readonly title: string;
  /** For instance SOL. */
  readonly asset: string;
  readonly intervalMinutes: number;
  readonly source: string;
  /** Oldest first. */
  readonly bars: readonly Bar[];
  /** Oldest first. */
  readonly marks: readonly PreviewMark[];
  /** What is in view at first, Unix milliseconds. */
  readonly view: { readonly fromMs: number; readonly toMs: number };
}
