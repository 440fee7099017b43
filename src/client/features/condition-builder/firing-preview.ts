import type { AlertCondition } from "../../../domain/condition/condition.ts";
import { firingText } from "../../../domain/condition/firing-text.ts";
import type { ChartPreview } from "../../lib/chart-preview.ts";
import type { Preview } from "./preview-figures.ts";

/** Number of initially visible bars, the newest. */
const IN_VIEW = 150;

interface PreviewOf {
  readonly asset: string;
  readonly intervalMinutes: number;
  readonly condition: AlertCondition;
  readonly source: string;
}

/** Returns a chart preview with a mark at each bar on which the condition fires. */
export function firingPreview(
  { asset, intervalMinutes, condition, source }: PreviewOf,
  { bars, firedAt }: Preview,
): ChartPreview {
  const times = firedAt.length === 1 ? "once" : `${firedAt.length} times`;
  return {
    title: `A condition that fires ${firingText(condition)} would have fired ${times} on these ${bars.length} bars.`,
    asset,
    intervalMinutes,
    source,
    bars,
    marks: firedAt.map((at) => ({ atMs: bars[at]?.openTimeMs ?? 0, kind: "fired", text: "" })),
    view: {
      fromMs: bars.at(-IN_VIEW)?.openTimeMs ?? bars[0]?.openTimeMs ?? 0,
      toMs: bars.at(-1)?.openTimeMs ?? 0,
    },
  };
}
