import { CANVAS, linePath, scaleOf } from "./curve.ts";

interface SparklineProps {
  /** Values at equal distances; null is a gap. */
  readonly values: readonly (number | null)[];
}

/** Sparkline; the text beside it states the last value. */
export function Sparkline({ values }: SparklineProps) {
  const points = values.map((value, time) => ({ time, value }));
  if (values.filter((value) => value !== null).length < 2) return null;
  const last = values.findLast((value) => value !== null) ?? 0;
  const times = { from: 0, to: Math.max(1, values.length - 1) };
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${CANVAS.width} ${CANVAS.height}`}
      preserveAspectRatio="none"
      className="h-6 w-20"
    >
      <path
        d={linePath(points, times, scaleOf([points], 0.1))}
        fill="none"
        strokeWidth={1.5}
        vectorEffect="non-scaling-stroke"
        className={last < 0 ? "stroke-down" : "stroke-up"}
      />
    </svg>
  );
}
