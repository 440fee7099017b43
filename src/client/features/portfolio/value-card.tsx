import { decimalsOfStep, displayMoney } from "../../lib/format.ts";
import { axisTime } from "../../lib/times.ts";
import { useTimes } from "../../lib/time-zone.ts";
import type { Portfolio } from "../../queries/portfolio.ts";
import { Card } from "../../ui/card.tsx";
import { CurveChart } from "../../ui/curve-chart.tsx";

type Curve = Portfolio["networks"][number]["curve"];

const lineOf = (curve: Curve, key: "value" | "paidIn") =>
  curve.map((point) => ({
    time: point.time,
    value: point[key] === null ? null : Number(point[key]),
  }));

/** Card of the value of all agents over time against what was paid in; nothing with fewer than two values. */
export function ValueCard({ curve }: { readonly curve: Curve }) {
  const times = useTimes();
  if (curve.filter(({ value }) => value !== null).length < 2) return null;
  return (
    <Card aria-label="Combined value">
      <CurveChart
        label="Value of all agents against what was paid in"
        className="h-56"
        curves={[
          { label: "Value", tone: "accent", points: lineOf(curve, "value") },
          { label: "Paid in", tone: "muted", points: lineOf(curve, "paidIn") },
        ]}
        formatValue={(value, step) => displayMoney(value.toFixed(6), decimalsOfStep(step))}
        formatTime={(seconds) => times.short(seconds * 1_000)}
        formatMark={(seconds, span) => axisTime(seconds, span, times)}
      />
    </Card>
  );
}
