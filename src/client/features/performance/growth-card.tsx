import type { Performance } from "../../queries/performance.ts";
import { decimalsOfStep, formatShare } from "../../lib/format.ts";
import { axisTime } from "../../lib/times.ts";
import { useTimes } from "../../lib/time-zone.ts";
import { Card } from "../../ui/card.tsx";
import { CurveChart } from "../../ui/curve-chart.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import type { HoldCurve } from "./hold-curve.ts";

interface GrowthCardProps {
  readonly curve: Performance["curve"];
  readonly asset: string;
  readonly hold: HoldCurve;
  /** False with fewer than two known points. */
  readonly isDrawn: boolean;
}

/** Card of the growth against holding the asset, and of the falls. */
export function GrowthCard({ curve, asset, hold, isDrawn }: GrowthCardProps) {
  const times = useTimes();
  if (!isDrawn) {
    return (
      <Card aria-label="Growth">
        <EmptyState title="One point so far">
          The curve begins with the next one: after a trade or a deposit, or within the hour.
        </EmptyState>
      </Card>
    );
  }
  const texts = {
    formatValue: (share: number, step: number) => formatShare(share, decimalsOfStep(step * 100)),
    formatTime: (seconds: number) => times.short(seconds * 1_000),
    formatMark: (seconds: number, span: number) => axisTime(seconds, span, times),
  };
  const falls = curve.map(({ time, drawdown }) => ({
    time,
    value: drawdown === null ? null : -drawdown,
  }));
  return (
    <Card aria-label="Growth" className="flex flex-col gap-4">
      <CurveChart
        label={`Growth of the agent against holding ${asset}`}
        className="h-64"
        curves={[
          {
            label: "This agent",
            tone: "accent",
            points: curve.map(({ time, growth }) => ({ time, value: growth })),
          },
          { label: `Holding ${asset}`, tone: "muted", points: hold.points },
        ]}
        {...texts}
      />
      <CurveChart
        label="Fall from the highest point before"
        className="h-28"
        top={0}
        curves={[{ label: "Fall from the peak", tone: "down", points: falls }]}
        {...texts}
      />
    </Card>
  );
}
