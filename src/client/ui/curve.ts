/** Point of a line, time in Unix seconds; a null value is a gap. */
export interface LinePoint {
  readonly time: number;
  readonly value: number | null;
}

export interface Curve {
  readonly label: string;
  readonly points: readonly LinePoint[];
  readonly tone: "accent" | "muted" | "down";
}

export interface Scale {
  readonly from: number;
  readonly to: number;
}

/** View box of the lines; the page scales it. */
export const CANVAS = { width: 1_000, height: 100 } as const;

const place = (value: number, { from, to }: Scale): number =>
  to === from ? 0.5 : (value - from) / (to - from);

/** Returns a line's SVG path, interrupted at gaps. */
export function linePath(points: readonly LinePoint[], times: Scale, values: Scale): string {
  let isDown = false;
  const parts: string[] = [];
  for (const { time, value } of points) {
    if (value === null) {
      isDown = false;
      continue;
    }
    const x = (place(time, times) * CANVAS.width).toFixed(1);
    const y = ((1 - place(value, values)) * CANVAS.height).toFixed(2);
    parts.push(`${isDown ? "L" : "M"}${x} ${y}`);
    isDown = true;
  }
  return parts.join("");
}

/** Returns round marks within a span, at most about `count`. */
export function roundMarks({ from, to }: Scale, count: number): readonly number[] {
  const span = to - from;
  if (span <= 0) return [from];
  const raw = span / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= raw) ?? 10) * power;
  const first = Math.ceil(from / step) * step;
  const marks: number[] = [];
  for (let mark = first; mark <= to + step / 1e6; mark += step) marks.push(mark);
  return marks;
}

/** Returns the range of all values with a margin; 0 to 1 without values. */
export function scaleOf(lines: readonly (readonly LinePoint[])[], air = 0.06): Scale {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const line of lines) {
    for (const { value } of line) {
      if (value === null) continue;
      from = Math.min(from, value);
      to = Math.max(to, value);
    }
  }
  if (from > to) return { from: 0, to: 1 };
  const pad = (to - from) * air || Math.abs(to) * air || 0.01;
  return { from: from - pad, to: to + pad };
}

/** Returns the index of the point nearest to a time; null without points. */
export function nearestPoint(points: readonly LinePoint[], time: number): number | null {
  let nearest: number | null = null;
  points.forEach((point, at) => {
    const best = nearest === null ? Number.POSITIVE_INFINITY : (points[nearest]?.time ?? 0);
    if (nearest === null || Math.abs(point.time - time) < Math.abs(best - time)) nearest = at;
  });
  return nearest;
}
