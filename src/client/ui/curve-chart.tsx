import { clsx } from "clsx";
import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { CANVAS, linePath, type LinePoint, nearestPoint, roundMarks, scaleOf } from "./curve.ts";

export interface Curve {
  readonly label: string;
  readonly points: readonly LinePoint[];
  readonly tone: "accent" | "muted" | "down";
  readonly filled?: boolean;
}

interface CurveChartProps {
  readonly label: string;
  /** Curves; the accessible cursor reads the values of the first. */
  readonly curves: readonly Curve[];
  /** Formats a value; `step` is the distance of adjacent marks and so the smallest visible difference. */
  readonly formatValue: (value: number, step: number) => string;
  readonly formatTime: (seconds: number) => string;
  /** Formats a time mark of an axis that spans `span` seconds. */
  readonly formatMark: (seconds: number, span: number) => string;
  readonly className?: string;
  /** Upper end of the scale; defaults to the highest value. */
  readonly top?: number;
}

const STROKES = {
  accent: "stroke-accent-text",
  muted: "stroke-faint",
  down: "stroke-down",
} as const;

const INKS = { accent: "text-accent-text", muted: "text-muted", down: "text-down" } as const;

/** Line chart over time with a cursor for pointer and arrow keys. Gaps in a line stay open. */
export function CurveChart(props: CurveChartProps) {
  const { label, curves, formatTime, formatMark, className, top } = props;
  const lead = curves[0]?.points ?? [];
  const [cursor, setCursor] = useState<number | null>(null);
  const times = { from: lead[0]?.time ?? 0, to: lead.at(-1)?.time ?? 1 };
  const scaled = scaleOf(curves.map(({ points }) => points));
  const values = top === undefined ? scaled : { ...scaled, to: top };
  const marks = roundMarks(values, 4);
  const step = (marks[1] ?? values.to) - (marks[0] ?? values.from);
  const formatValue = (value: number) => props.formatValue(value, step);
  const point = cursor === null ? undefined : lead[cursor];
  const left = (time: number) => `${((time - times.from) / (times.to - times.from || 1)) * 100}%`;
  const topOf = (value: number) =>
    `${(1 - (value - values.from) / (values.to - values.from || 1)) * 100}%`;

  const follow = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - box.left) / (box.width || 1);
    setCursor(nearestPoint(lead, times.from + share * (times.to - times.from)));
  };
  const moveCursor = (event: KeyboardEvent) => {
    const moves: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };
    const move = moves[event.key];
    if (event.key === "Escape") setCursor(null);
    if (move === undefined || lead.length === 0) return;
    event.preventDefault();
    setCursor(Math.min(lead.length - 1, Math.max(0, (cursor ?? lead.length) + move)));
  };
  const said = point
    ? `${formatTime(point.time)}: ${curves.map((curve) => `${curve.label} ${saidAt(curve, point.time, formatValue)}`).join(", ")}`
    : "Use the arrow keys to read values";

  return (
    <figure className={clsx("flex min-w-0 flex-col gap-1.5", className)}>
      <figcaption className="flex min-h-5 flex-wrap items-center gap-x-4 gap-y-0.5 text-xs text-muted">
        {curves.map((curve) => (
          <span key={curve.label} className="inline-flex items-center gap-1.5">
            <span
              aria-hidden
              className={clsx(
                "w-4 border-current",
                curve.tone === "muted" ? "border-t border-dashed" : "border-t-2",
                INKS[curve.tone],
              )}
            />
            {curve.label}
            {point && (
              <span className="font-medium text-ink tabular-nums">
                {saidAt(curve, point.time, formatValue)}
              </span>
            )}
          </span>
        ))}
        {point && <span className="ml-auto tabular-nums">{formatTime(point.time)}</span>}
      </figcaption>
      <div className="flex min-h-0 grow">
        <div
          role="slider"
          tabIndex={0}
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, lead.length - 1)}
          aria-valuenow={cursor ?? 0}
          aria-valuetext={said}
          onPointerMove={follow}
          onPointerLeave={() => setCursor(null)}
          onKeyDown={moveCursor}
          onBlur={() => setCursor(null)}
          className="relative min-h-0 grow touch-pan-y overflow-hidden rounded-sm"
        >
          {marks.map((mark) => (
            <span
              key={mark}
              aria-hidden
              style={{ top: topOf(mark) }}
              className="absolute inset-x-0 border-t border-line"
            />
          ))}
          <svg
            aria-hidden
            viewBox={`0 0 ${CANVAS.width} ${CANVAS.height}`}
            preserveAspectRatio="none"
            className="absolute inset-0 size-full"
          >
            {curves.map((curve) => (
              <path
                key={curve.label}
                d={linePath(curve.points, times, values)}
                fill="none"
                strokeWidth={curve.tone === "muted" ? 1.25 : 1.75}
                strokeDasharray={curve.tone === "muted" ? "4 3" : undefined}
                vectorEffect="non-scaling-stroke"
                className={STROKES[curve.tone]}
              />
            ))}
          </svg>
          {point && (
            <span
              aria-hidden
              style={{ left: left(point.time) }}
              className="absolute inset-y-0 border-l border-dashed border-line-strong"
            />
          )}
        </div>
        <div aria-hidden className="relative w-14 shrink-0 text-2xs text-faint tabular-nums">
          {marks.map((mark) => (
            <span
              key={mark}
              style={{ top: topOf(mark) }}
              className="absolute right-0 -translate-y-1/2 whitespace-nowrap"
            >
              {formatValue(mark)}
            </span>
          ))}
        </div>
      </div>
      <div
        aria-hidden
        className="mr-14 flex justify-between gap-2 text-2xs text-faint tabular-nums"
      >
        {[0, 0.5, 1].map((share) => (
          <span key={share}>
            {formatMark(times.from + share * (times.to - times.from), times.to - times.from)}
          </span>
        ))}
      </div>
    </figure>
  );
}

function saidAt({ points }: Curve, time: number, formatValue: (value: number) => string): string {
  const at = nearestPoint(points, time);
  const value = at === null ? null : (points[at]?.value ?? null);
  return value === null ? "not known" : formatValue(value);
}
