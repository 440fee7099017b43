import { NotLoaded } from "../../../ui/not-loaded.tsx";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { AlertCondition } from "../../../../domain/condition/condition.ts";
import type { Network } from "../../../../domain/network.ts";
import { barSpanAt, type Bar } from "../../../../strategy/bar-times.ts";
import { clock } from "../../../lib/clock.ts";
import type { ChartPreview } from "../../../lib/chart-preview.ts";
import { candleHistoryQuery } from "../../../queries/candle-history.ts";
import { symbolOf } from "../../../../venues/profiles.ts";
import { Button } from "../../../ui/button.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { TimeText } from "../../../ui/time-text.tsx";
import { clsx } from "clsx";
import { assetsReadBy } from "../../../../strategy/warm-up.ts";
import { firingText } from "../../../../domain/condition/condition-text.ts";
import { createConditionEvaluator, warmUpBars } from "../../../../strategy/evaluate-conditions.ts";

/** Market and bar interval on which a condition is evaluated. */
export interface PreviewMarket {
  readonly network: Network;
  /** For instance SOL. */
  readonly asset: string;
  readonly intervalMinutes: number;
}

interface ConditionPreviewProps extends PreviewMarket {
  /** Condition that has passed validation. */
  readonly condition: AlertCondition;
  /** Opens the Chart tab with the preview. */
  readonly onShowOnChart: (preview: ChartPreview) => void;
}

const MINUTE_MS = 60_000;

/** Preview of a condition's recent firings and their frequency. */
export default function ConditionPreview(props: ConditionPreviewProps) {
  const { condition, onShowOnChart, ...market } = props;
  const { network, asset, intervalMinutes } = market;
  const [openedAt] = useState(() => clock.now());
  const toMs = barSpanAt(intervalMinutes, openedAt).openTimeMs;
  const fromMs = toMs - barsToAsk(condition, intervalMinutes) * intervalMinutes * MINUTE_MS;
  const history = useQuery({
    ...candleHistoryQuery({
      network,
      symbol: symbolOf(asset),
      intervalMinutes,
      fromMs,
      toMs,
      beside: assetsReadBy([condition]),
    }),
    placeholderData: keepPreviousData,
  });
  if (needsPosition(condition)) {
    return (
      <p className="text-xs text-muted">
        It looks at an open position, which a preview has none of: see Simulate for how it would
        have gone.
      </p>
    );
  }
  if (history.data === undefined) {
    return history.isError ? (
      <NotLoaded onRetry={history.refetch}>The bars of {asset} could not be loaded.</NotLoaded>
    ) : (
      <Skeleton className="h-36" />
    );
  }
  const preview = previewOf(condition, history.data.bars, intervalMinutes);
  const { bars, firedAt } = preview;
  const [first, last] = [bars[0], bars.at(-1)];
  if (first === undefined || last === undefined) {
    return (
      <p className="text-xs text-muted">
        Too little history: it takes {preview.warmUp} bars before the first firing, and{" "}
        {history.data.bars.length} are there.
      </p>
    );
  }
  const times = firedAt.length === 1 ? "once" : `${firedAt.length} times`;
  const latest = bars[firedAt.at(-1) ?? -1];
  return (
    <figure className="flex flex-col gap-1.5">
      <FiringChart {...preview} />
      <figcaption className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-xs text-muted">
        <span role="status" className="font-medium text-ink">
          {firedAt.length === 0
            ? `Never fired in the last ${bars.length} bars`
            : `Fired ${times} in the last ${bars.length} bars (${howOften(firedAt.length, last.closeTimeMs - first.openTimeMs)})`}
        </span>
        <span>
          {asset}, {history.data.source}
          {latest && (
            <>
              , last <TimeText at={new Date(latest.closeTimeMs).toISOString()} as="short" />
            </>
          )}
        </span>
        {firedAt.length > 0 && (
          <Button
            size="small"
            onClick={() =>
              onShowOnChart(
                firingPreview({ ...market, condition, source: history.data.source }, preview),
              )
            }
          >
            Show on the chart
          </Button>
        )}
      </figcaption>
    </figure>
  );
}

/** View-box height; the width is the number of bars. */
const HEIGHT = 100;

/** Vertical margin, so that no marker is clipped. */
const MARGIN = 8;

/** Line chart of closes with a marker at each bar on which the condition fires. */
function FiringChart({ bars, firedAt }: Preview) {
  const closes = bars.map(({ close }) => close);
  const lowest = Math.min(...closes);
  const range = Math.max(...closes) - lowest || 1;
  const span = Math.max(1, bars.length - 1);
  const heightOf = (close: number) =>
    HEIGHT - MARGIN - ((close - lowest) / range) * (HEIGHT - 2 * MARGIN);
  const line = closes.map((close, index) => `${index},${heightOf(close).toFixed(1)}`).join(" ");
  return (
    <div aria-hidden className="relative h-28 rounded-md border border-line bg-surface">
      <svg
        viewBox={`0 0 ${span} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="absolute inset-0 size-full"
      >
        <polyline
          points={line}
          fill="none"
          className="stroke-muted"
          strokeWidth={1.25}
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      {firedAt.map((at) => (
        <span
          key={at}
          className={clsx(
            "absolute -mt-1 -ml-1 rounded-full bg-accent ring-2 ring-surface",
            firedAt.length > 60 ? "size-1" : "size-2",
          )}
          style={{ left: `${(at / span) * 100}%`, top: `${heightOf(closes[at] ?? 0)}%` }}
        />
      ))}
    </div>
  );
}

/** Number of initially visible bars, the newest. */
const IN_VIEW = 150;

interface PreviewOf {
  readonly asset: string;
  readonly intervalMinutes: number;
  readonly condition: AlertCondition;
  readonly source: string;
}

/** Returns a chart preview with a mark at each bar on which the condition fires. */
function firingPreview(
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

/** Number of bars in a preview. */
export const SHOWN_BARS = 500;

/** Numbers of bars requested; coarse steps, so that a changed parameter rarely refetches. */
const ASKED_BARS = [1_000, 2_000, 5_000] as const;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Firings of a condition in the shown bars. */
interface Preview {
  /** Oldest first. */
  readonly bars: readonly Bar[];
  /** Indexes into `bars`. */
  readonly firedAt: readonly number[];
  /** Number of bars before the condition can fire. */
  readonly warmUp: number;
}

const named = (condition: AlertCondition) => [{ alertKey: "", condition }];

/** Returns the number of bars to request for a condition's preview. */
export function barsToAsk(condition: AlertCondition, intervalMinutes: number): number {
  const wanted = warmUpBars(named(condition), intervalMinutes) + SHOWN_BARS;
  return ASKED_BARS.find((bars) => bars >= wanted) ?? wanted;
}

/** Returns whether the condition needs an open position, which a preview does not have. */
export function needsPosition(condition: AlertCondition): boolean {
  return (
    condition.kind === "comparisons" &&
    condition.all.some(
      (each) =>
        each.left.kind === "position" || ("right" in each && each.right.kind === "position"),
    )
  );
}

/** Evaluates a valid condition on closed bars, with the code that fires alerts in production. */
export function previewOf(
  condition: AlertCondition,
  bars: readonly Bar[],
  intervalMinutes: number,
): Preview {
  const warmUp = warmUpBars(named(condition), intervalMinutes);
  const first = Math.max(warmUp, bars.length - SHOWN_BARS);
  const evaluator = createConditionEvaluator(named(condition), intervalMinutes);
  const firedAt: number[] = [];
  for (const [index, bar] of bars.entries()) {
    if (evaluator.next(bar).length > 0 && index >= first) firedAt.push(index - first);
  }
  return { bars: bars.slice(first), firedAt, warmUp };
}

/** Returns a frequency as text, for instance "about once in 3 days". */
export function howOften(times: number, spanMs: number): string {
  const everyMs = spanMs / times;
  const counted = (count: number, unit: string) =>
    `about once in ${count} ${unit}${count === 1 ? "" : "s"}`;
  if (everyMs >= 1.5 * DAY_MS) return counted(Math.round(everyMs / DAY_MS), "day");
  const aDay = Math.round(DAY_MS / everyMs);
  return aDay <= 1 ? "about once a day" : `about ${aDay} times a day`;
}
