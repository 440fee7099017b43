/** Point of a line, time in Unix seconds; a null value is a gap. */
export interface LinePoint {
  readonly time: number;
  readonly value: number | null;
}

/** Values at ascending times in Unix seconds; a null value is a gap. */
export interface Line {
  readonly times: ArrayLike<number>;
  readonly values: ArrayLike<number | null>;
}

/** Returns points as a line. */
export const lineOf = (points: readonly LinePoint[]): Line => ({
  times: points.map(({ time }) => time),
  values: points.map(({ value }) => value),
});

export interface Scale {
  readonly from: number;
  readonly to: number;
}

/** View box of the lines; the page scales it. */
export const CANVAS = { width: 1_000, height: 100 } as const;

/** Returns where a value lies on a scale, from 0 to 1. */
export const place = (value: number, { from, to }: Scale): number =>
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

/** Returns the path of the area between a line without gaps and zero. */
export function areaPath(points: readonly LinePoint[], times: Scale, values: Scale): string {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return "";
  const foot = [last, first].map(({ time }) => ({ time, value: 0 }));
  return `${linePath([...points, ...foot], times, values)}Z`;
}

/** Returns a line's points, of many values the lowest and the highest of each of `columns` columns. */
export function thinned(
  { times, values }: Line,
  columns: number = CANVAS.width,
): readonly LinePoint[] {
  const at = (index: number) => ({ time: times[index] ?? 0, value: values[index] ?? null });
  const count = values.length;
  if (count <= columns * 2) return Array.from(values, (_, index) => at(index));
  return Array.from({ length: columns }, (_, column) => {
    const from = Math.floor((column * count) / columns);
    const to = Math.floor(((column + 1) * count) / columns);
    let [low, high] = [from, from];
    for (let index = from; index < to; index += 1) {
      const value = values[index] ?? null;
      if (value === null) continue;
      if (value < (values[low] ?? Number.POSITIVE_INFINITY)) low = index;
      if (value > (values[high] ?? Number.NEGATIVE_INFINITY)) high = index;
    }
    return [...new Set([Math.min(low, high), Math.max(low, high)])].map(at);
  }).flat();
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
export function scaleOf(lines: readonly Line[], air = 0.06): Scale {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { values } of lines) {
    for (let index = 0; index < values.length; index += 1) {
      const value = values[index] ?? null;
      if (value === null) continue;
      from = Math.min(from, value);
      to = Math.max(to, value);
    }
  }
  if (from > to) return { from: 0, to: 1 };
  const pad = to > from ? (to - from) * air : Math.abs(to) * air || 0.01;
  return { from: from - pad, to: to + pad };
}

/** Returns the index of the time, of ascending ones, that is nearest to another; null without any. */
export function nearestTime(times: ArrayLike<number>, time: number): number | null {
  if (times.length === 0) return null;
  let [low, high] = [0, times.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  const before = times[low - 1];
  return before !== undefined && time - before <= (times[low] ?? 0) - time ? low - 1 : low;
}
