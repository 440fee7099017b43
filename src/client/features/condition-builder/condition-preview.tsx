import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { AlertCondition } from "../../../domain/condition/condition.ts";
import type { Network } from "../../../domain/network.ts";
import { barSpanAt } from "../../../strategy/bar-times.ts";
import { clock } from "../../lib/clock.ts";
import type { ChartPreview } from "../../lib/chart-preview.ts";
import { candleHistoryQuery } from "../../queries/candle-history.ts";
import { symbolOf } from "../../queries/candles.ts";
import { Button } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TimeText } from "../../ui/time-text.tsx";
import { firingPreview } from "./firing-preview.ts";
import { FiringChart } from "./firing-chart.tsx";
import { barsToAsk, howOften, needsPosition, previewOf } from "./preview-figures.ts";

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
    ...candleHistoryQuery({ network, symbol: symbolOf(asset), intervalMinutes, fromMs, toMs }),
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
      <p role="status" className="flex flex-wrap items-center gap-2 text-xs text-warn">
        The bars of {asset} could not be loaded.
        <Button size="small" onClick={() => void history.refetch()}>
          Try again
        </Button>
      </p>
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
