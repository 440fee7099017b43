import { clsx } from "clsx";
import {
  areaPath,
  type Curve,
  nearestTime,
  roundMarks,
  scaleOf,
  CANVAS,
  linePath,
  type LinePoint,
  type Scale,
} from "./curve.ts";
import { type KeyboardEvent, type PointerEvent, useState } from "react";

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

const INKS = {
  accent: "text-accent-text",
  muted: "text-muted",
  down: "text-down",
  plain: "text-muted",
} as const;

/** Line chart over time with a cursor for pointer and arrow keys. Gaps in a line stay open. */
export function CurveChart(props: CurveChartProps) {
  const { label, curves, formatTime, formatMark, className, top } = props;
  const lead = curves[0]?.points ?? [];
  const times = { from: lead[0]?.time ?? 0, to: lead.at(-1)?.time ?? 1 };
  const { cursor, handlers } = useCurveCursor(lead.map(({ time }) => time));
  const point = cursor === null ? undefined : lead[cursor];
  const scaled = scaleOf(curves.map(({ points }) => points));
  const values = top === undefined ? scaled : { ...scaled, to: top };
  const marks = roundMarks(values, 4);
  const step = (marks[1] ?? values.to) - (marks[0] ?? values.from);
  const formatValue = (value: number) => props.formatValue(value, step);
  const read = point && {
    time: formatTime(point.time),
    values: curves.map((curve) => valueTextAt(curve, point.time, formatValue)),
  };

  return (
    <figure className={clsx("flex min-w-0 flex-col gap-1.5", className)}>
      <figcaption className="flex min-h-5 flex-wrap items-center gap-x-4 gap-y-0.5 text-xs text-muted">
        {curves.map((curve, index) => (
          <CurveKey key={curve.label} curve={curve} value={read?.values[index]} />
        ))}
        {read && <span className="ml-auto tabular-nums">{read.time}</span>}
      </figcaption>
      <div className="flex min-h-0 grow">
        <div
          role="slider"
          tabIndex={0}
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, lead.length - 1)}
          aria-valuenow={cursor ?? 0}
          aria-valuetext={
            read
              ? `${read.time}: ${curves.map((curve, index) => `${curve.label} ${read.values[index]}`).join(", ")}`
              : "Use the arrow keys to read values"
          }
          {...handlers}
          className="relative min-h-0 grow touch-pan-y overflow-hidden rounded-sm"
        >
          <CurvePlot curves={curves} times={times} values={values} marks={marks} point={point} />
        </div>
        <div aria-hidden className="relative w-14 shrink-0 text-2xs text-faint tabular-nums">
          {marks.map((mark) => (
            <span
              key={mark}
              style={{ top: topOf(mark, values) }}
              className="absolute right-0 -translate-y-1/2 whitespace-nowrap"
            >
              {formatValue(mark)}
            </span>
          ))}
        </div>
      </div>
      <TimeMarks times={times} formatMark={formatMark} className="mr-14" />
    </figure>
  );
}

interface TimeMarksProps extends Pick<CurveChartProps, "formatMark" | "className"> {
  readonly times: Scale;
}

/** Time labels at start, middle and end of the shown range. */
export function TimeMarks({ times, formatMark, className }: TimeMarksProps) {
  const span = times.to - times.from;
  return (
    <div
      aria-hidden
      className={clsx("flex justify-between gap-2 text-2xs text-faint tabular-nums", className)}
    >
      {[0, 0.5, 1].map((share) => (
        <span key={share}>{formatMark(times.from + share * span, span)}</span>
      ))}
    </div>
  );
}

interface CurveKeyProps {
  readonly curve: Pick<Curve, "label" | "tone">;
  readonly value: string | undefined;
}

/** Label of a curve with its stroke, and the value at the cursor. */
export function CurveKey(props: CurveKeyProps) {
  const { label, tone } = props.curve;
  return (
    <span className="inline-flex items-center gap-1.5">
      <span
        aria-hidden
        className={clsx(
          "w-4 border-current",
          tone === "muted" ? "border-t border-dashed" : "border-t-2",
          INKS[tone],
        )}
      />
      {label}
      {props.value !== undefined && (
        <span className="font-medium text-ink tabular-nums">{props.value}</span>
      )}
    </span>
  );
}

function valueTextAt(
  { points }: Curve,
  time: number,
  formatValue: (value: number) => string,
): string {
  const pointTimes = points.map((each) => each.time);
  const at = nearestTime(pointTimes, time);
  const value = at === null ? null : (points[at]?.value ?? null);
  return value === null ? "not known" : formatValue(value);
}

const STROKES = {
  accent: "stroke-accent-text",
  muted: "stroke-faint",
  down: "stroke-down",
  plain: "stroke-muted",
} as const;

interface CurvePlotProps {
  readonly curves: readonly Curve[];
  readonly times: Scale;
  readonly values: Scale;
  /** Values at which a horizontal line is drawn. */
  readonly marks?: readonly number[];
  /** Point at the cursor. */
  readonly point?: LinePoint | undefined;
}

export const percent = (value: number, { from, to }: Scale): number =>
  ((value - from) / (to - from || 1)) * 100;

/** Returns the distance of a value from the top of the plot. */
const topOf = (value: number, values: Scale): string => `${100 - percent(value, values)}%`;

/** Horizontal marks, lines and cursor of a plot; fills the positioned box around it. */
export function CurvePlot({ curves, times, values, marks = [], point }: CurvePlotProps) {
  return (
    <>
      {marks.map((mark) => (
        <span
          key={mark}
          aria-hidden
          style={{ top: topOf(mark, values) }}
          className="absolute inset-x-0 border-t border-line"
        />
      ))}
      <svg
        aria-hidden
        viewBox={`0 0 ${CANVAS.width} ${CANVAS.height}`}
        preserveAspectRatio="none"
        className="absolute inset-0 size-full overflow-visible"
      >
        {curves
          .filter(({ isArea }) => isArea)
          .map(({ label, points }) => (
            <path key={label} d={areaPath(points, times, values)} className="fill-down-soft" />
          ))}
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
      {point && <CurveCursor left={percent(point.time, times)} />}
    </>
  );
}

/** Vertical line of a cursor, at a percentage of the width. */
export const CurveCursor = ({ left }: { readonly left: number }) => (
  <span
    aria-hidden
    style={{ left: `${left}%` }}
    className="absolute inset-y-0 border-l border-dashed border-line-strong"
  />
);

/** Returns which of a chart's times is under its cursor, with the handlers that move it by pointer and arrow keys. */
export function useCurveCursor(times: ArrayLike<number>) {
  const [cursor, setCursor] = useState<number | null>(null);
  const hide = () => setCursor(null);
  const follow = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - box.left) / (box.width || 1);
    const [from = 0, to = 1] = [times[0], times[times.length - 1]];
    setCursor(nearestTime(times, from + share * (to - from)));
  };
  const moveByKey = (event: KeyboardEvent) => {
    const moves: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };
    const move = moves[event.key];
    if (event.key === "Escape") hide();
    if (move === undefined || times.length === 0) return;
    event.preventDefault();
    setCursor(Math.min(times.length - 1, Math.max(0, (cursor ?? times.length) + move)));
  };
  return {
    /** Index of the time; null without a cursor. */
    cursor,
    handlers: {
      onPointerMove: follow,
      onPointerLeave: hide,
      onKeyDown: moveByKey,
      onBlur: hide,
    },
  };
}
