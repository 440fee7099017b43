import { clsx } from "clsx";
import { type KeyboardEvent, type PointerEvent, type ReactNode, useMemo, useState } from "react";
import { useTimes, axisTime } from "../lib/time-zone.ts";
import {
  areaPath,
  CANVAS,
  type Line,
  linePath,
  nearestTime,
  place,
  roundMarks,
  type Scale,
  scaleOf,
  thinned,
} from "./curve.ts";

export interface Curve extends Line {
  readonly label: string;
  readonly tone: keyof typeof INKS;
  /** Fills the space between the line and zero. */
  readonly isArea?: boolean;
}

/** One of the plots below each other, each with its own scale of values. */
export interface CurvePanel {
  /** Curves, the first drawn on top. */
  readonly curves: readonly Curve[];
  /** Formats a value; `step` is the distance of adjacent marks and so the smallest visible difference. */
  readonly formatValue: (value: number, step: number) => string;
  /** Unit after a value under the cursor. */
  readonly unit?: string;
  /** Class of the plot's height. */
  readonly height: string;
  /** Upper end of the scale; defaults to the highest value. */
  readonly top?: number;
  /** About how many horizontal lines are drawn. */
  readonly lines?: number;
  /** Triangles below points that go up and above points that go down. */
  readonly points?: readonly {
    readonly time: number;
    readonly value: number;
    readonly isUp: boolean;
  }[];
}

interface CurveChartProps {
  readonly label: string;
  /** Plots over the times of the first curve of the first one; compared by identity. */
  readonly panels: readonly CurvePanel[];
  /** What the curves come to, read out before the first value. */
  readonly summary?: string;
  /** Shaded end of the times, from Unix seconds on. */
  readonly shaded?: { readonly from: number; readonly label: string } | undefined;
  /** Action beside the legend. */
  readonly children?: ReactNode;
}

const INKS = {
  accent: "text-accent-text",
  muted: "text-muted",
  up: "text-up",
  down: "text-down",
  plain: "text-muted",
} as const;

const PLOTS = "flex flex-col gap-5";

/** Curves over time in one or several plots, with one cursor for pointer and keys. Gaps in a line stay open. */
export function CurveChart({ label, panels, summary, shaded, children }: CurveChartProps) {
  const zoned = useTimes();
  const plots = useMemo(() => panels.map(plotOf), [panels]);
  const stops = panels[0]?.curves[0]?.times ?? [];
  const last = Math.max(0, stops.length - 1);
  const times = { from: stops[0] ?? 0, to: stops[last] ?? 1 };
  const { cursor, handlers } = useCurveCursor(stops);
  const at = stops[cursor ?? last] ?? 0;
  const readAt = `${zoned.date(at * 1_000)} ${zoned.time(at * 1_000)}`;
  const read = plots.flatMap(({ curves, format, unit }) =>
    curves.map((curve) => ({
      label: curve.label,
      tone: curve.tone,
      text: valueTextAt(curve, at, (value) => clsx(format(value), unit)),
    })),
  );
  const shade = shaded && shaded.from > times.from && shaded.from < times.to ? shaded : undefined;

  return (
    <figure className="flex min-w-0 flex-col gap-1.5">
      <figcaption className="flex min-h-6 flex-wrap items-center gap-x-4 gap-y-0.5 text-xs text-muted">
        {read.map((each) => (
          <CurveKey key={each.label} {...each} />
        ))}
        {shade && (
          <span className="inline-flex items-center gap-1.5">
            <span aria-hidden className="h-2.5 w-4 border border-line bg-hover" />
            {shade.label}
          </span>
        )}
        <span className="ml-auto tabular-nums">{readAt}</span>
        {children}
      </figcaption>
      <div className="flex">
        <div
          role="slider"
          tabIndex={0}
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={last}
          aria-valuenow={cursor ?? last}
          aria-valuetext={
            cursor === null
              ? clsx(summary, "Use the arrow keys to read values")
              : `${readAt}: ${read.map(({ label: name, text }) => `${name} ${text}`).join(", ")}`
          }
          {...handlers}
          className={clsx("relative min-w-0 grow touch-pan-y overflow-hidden rounded-sm", PLOTS)}
        >
          {shade && (
            <span
              style={{ left: percent(place(shade.from, times)) }}
              className="absolute inset-y-0 right-0 bg-hover"
            />
          )}
          {plots.map((plot) => (
            <PlotLines key={plot.curves[0]?.label} {...plot} times={times} />
          ))}
          {cursor !== null && (
            <span
              style={{ left: percent(place(at, times)) }}
              className="absolute inset-y-0 border-l border-dashed border-line-strong"
            />
          )}
        </div>
        <div aria-hidden className={clsx("w-14 shrink-0 text-2xs text-faint tabular-nums", PLOTS)}>
          {plots.map((plot) => (
            <div key={plot.curves[0]?.label} className={clsx("relative", plot.height)}>
              {plot.marks.map((mark) => (
                <span
                  key={mark}
                  style={{ top: percent(1 - place(mark, plot.values)) }}
                  className="absolute right-0 -translate-y-1/2 whitespace-nowrap"
                >
                  {plot.format(mark)}
                </span>
              ))}
            </div>
          ))}
        </div>
      </div>
      <div
        aria-hidden
        className="mr-14 flex justify-between gap-2 text-2xs text-faint tabular-nums"
      >
        {[0, 0.5, 1].map((share) => (
          <span key={share}>
            {axisTime(times.from + share * (times.to - times.from), times.to - times.from, zoned)}
          </span>
        ))}
      </div>
    </figure>
  );
}

/** Label of a curve with its stroke, and its value. */
function CurveKey({
  label,
  tone,
  text,
}: Pick<Curve, "label" | "tone"> & { readonly text: string }) {
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
      <span className="font-medium text-ink tabular-nums">{text}</span>
    </span>
  );
}

/** Lines of one plot over its marks, with its triangles. */
function PlotLines({
  curves,
  values,
  marks,
  points,
  height,
  times,
}: Plot & { readonly times: Scale }) {
  return (
    <div className={clsx("relative", height)}>
      {marks.map((mark) => (
        <span
          key={mark}
          style={{ top: percent(1 - place(mark, values)) }}
          className="absolute inset-x-0 border-t border-line"
        />
      ))}
      <CurveLines curves={curves} times={times} values={values} />
      {points?.map(({ time, value, isUp }, index) => (
        <span
          key={index}
          aria-hidden
          style={{ left: percent(place(time, times)), top: percent(1 - place(value, values)) }}
          className={clsx(
            "absolute -translate-x-1/2 text-2xs leading-none",
            isUp ? "mt-0.5 text-up" : "-mt-0.5 -translate-y-full text-down",
          )}
        >
          {isUp ? "▲" : "▼"}
        </span>
      ))}
    </div>
  );
}

const percent = (share: number): string => `${share * 100}%`;

type Plot = ReturnType<typeof plotOf>;

/** Returns a plot with its scale, its horizontal lines and values as text. */
function plotOf({ top, lines = 4, formatValue, ...panel }: CurvePanel) {
  const scaled = scaleOf(panel.curves);
  const values = top === undefined ? scaled : { ...scaled, to: top };
  const marks = roundMarks(values, lines);
  const step = (marks[1] ?? values.to) - (marks[0] ?? values.from);
  return { ...panel, values, marks, format: (value: number) => formatValue(value, step) };
}

function valueTextAt({ times, values }: Line, time: number, format: (value: number) => string) {
  const value = values[nearestTime(times, time) ?? -1] ?? null;
  return value === null ? "not known" : format(value);
}

interface CurveLinesProps {
  readonly curves: readonly Curve[];
  readonly times: Scale;
  readonly values: Scale;
}

/** Curves without axes; they fill the positioned box around them. */
function CurveLines({ curves, times, values }: CurveLinesProps) {
  const { from, to } = times;
  const paths = useMemo(
    () =>
      curves.toReversed().map((curve) => {
        const points = thinned(curve);
        return {
          ...curve,
          line: linePath(points, { from, to }, values),
          area: curve.isArea === true ? areaPath(points, { from, to }, values) : undefined,
        };
      }),
    [curves, from, to, values],
  );
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${CANVAS.width} ${CANVAS.height}`}
      preserveAspectRatio="none"
      className="absolute inset-0 size-full overflow-visible"
    >
      {paths.map(({ label, tone, line, area }) => (
        <g key={label} className={INKS[tone]}>
          {area !== undefined && <path d={area} className="fill-down-soft" />}
          <path
            d={line}
            fill="none"
            stroke="currentColor"
            strokeWidth={tone === "muted" ? 1.25 : 1.75}
            strokeDasharray={tone === "muted" ? "4 3" : undefined}
            vectorEffect="non-scaling-stroke"
          />
        </g>
      ))}
    </svg>
  );
}

interface SparklineProps {
  /** Values at equal distances; null is a gap. */
  readonly values: readonly (number | null)[];
  /** Class of its size. */
  readonly className?: string;
}

/** Curve in a line of text; the text beside it states the last value. */
export function Sparkline({ values, className = "h-6 w-20" }: SparklineProps) {
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return null;
  const tone = (known.at(-1) ?? 0) < 0 ? "down" : "up";
  const curve = { label: "", tone, times: [...values.keys()], values } as const;
  return (
    <span className={clsx("relative", className)}>
      <CurveLines
        curves={[curve]}
        times={{ from: 0, to: values.length - 1 }}
        values={scaleOf([curve], 0.1)}
      />
    </span>
  );
}

/** Returns which of a chart's times is under its cursor, with the handlers that move it by pointer and keys. */
function useCurveCursor(times: ArrayLike<number>) {
  const [cursor, setCursor] = useState<number | null>(null);
  const hide = () => setCursor(null);
  const follow = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - box.left) / (box.width || 1);
    const [from = 0, to = 1] = [times[0], times[times.length - 1]];
    setCursor(nearestTime(times, from + share * (to - from)));
  };
  const moveByKey = (event: KeyboardEvent) => {
    const tenth = Math.ceil(times.length / 10);
    const moves: Readonly<Record<string, number>> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      PageUp: tenth,
      PageDown: -tenth,
      Home: Number.NEGATIVE_INFINITY,
      End: Number.POSITIVE_INFINITY,
    };
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
