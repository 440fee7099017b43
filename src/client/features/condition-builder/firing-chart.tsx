import { clsx } from "clsx";
import type { Preview } from "./preview-figures.ts";

/** View-box height; the width is the number of bars. */
const HEIGHT = 100;

/** Vertical margin, so that no marker is clipped. */
const MARGIN = 8;

/** Line chart of closes with a marker at each bar on which the condition fires. */
export function FiringChart({ bars, firedAt }: Preview) {
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
