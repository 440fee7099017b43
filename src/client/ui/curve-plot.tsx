import { CANVAS, type Curve, linePath, type LinePoint, type Scale } from "./curve.ts";

const STROKES = {
  accent: "stroke-accent-text",
  muted: "stroke-faint",
  down: "stroke-down",
} as const;

interface CurvePlotProps {
  readonly curves: readonly Curve[];
  readonly times: Scale;
  readonly values: Scale;
  /** Values at which a horizontal line is drawn. */
  readonly marks: readonly number[];
  /** Point at the cursor. */
  readonly point: LinePoint | undefined;
}

const percent = (value: number, { from, to }: Scale): number =>
  ((value - from) / (to - from || 1)) * 100;

/** Returns the distance of a value from the top of the plot. */
export const topOf = (value: number, values: Scale): string => `${100 - percent(value, values)}%`;

/** Horizontal marks, lines and cursor of a curve chart. */
export function CurvePlot({ curves, times, values, marks, point }: CurvePlotProps) {
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
          style={{ left: `${percent(point.time, times)}%` }}
          className="absolute inset-y-0 border-l border-dashed border-line-strong"
        />
      )}
    </>
  );
}
