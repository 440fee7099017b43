/** Plot area in view-box units. */
export interface PlotArea {
  readonly width: number;
  readonly top: number;
  readonly height: number;
}

/** Minimum and maximum value of a plot's scale. */
export interface PlotScale {
  readonly low: number;
  readonly high: number;
}

/** Returns a scale that covers all values; a constant line is centred. */
export function scaleOf(...series: readonly ArrayLike<number>[]): PlotScale {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const figures of series) {
    for (let at = 0; at < figures.length; at += 1) {
      const figure = figures[at] ?? 0;
      if (figure < low) low = figure;
      if (figure > high) high = figure;
    }
  }
  if (low > high) return { low: 0, high: 1 };
  return low === high ? { low: low - 1, high: high + 1 } : { low, high };
}

export const yOf = (figure: number, { low, high }: PlotScale, { top, height }: PlotArea): number =>
  top + height - ((figure - low) / (high - low)) * height;

export const xOf = (at: number, count: number, { width }: PlotArea): number =>
  count < 2 ? 0 : (at / (count - 1)) * width;

/** Returns a line's SVG path; many values are reduced to minimum and maximum per column, which keeps peaks. */
export function linePath(figures: ArrayLike<number>, scale: PlotScale, area: PlotArea): string {
  const count = figures.length;
  const columns = Math.max(1, Math.floor(area.width));
  const points: string[] = [];
  const push = (at: number) => {
    const x = xOf(at, count, area).toFixed(1);
    points.push(`${x} ${yOf(figures[at] ?? 0, scale, area).toFixed(1)}`);
  };
  if (count <= columns * 2) {
    for (let at = 0; at < count; at += 1) push(at);
  } else {
    for (let column = 0; column < columns; column += 1) {
      const from = Math.floor((column * count) / columns);
      const to = Math.floor(((column + 1) * count) / columns);
      for (const at of extremesOf(figures, from, to)) push(at);
    }
  }
  return points.length === 0 ? "" : `M${points.join("L")}`;
}

/** Returns the line's path closed at the plot's lower edge. */
export function areaPath(figures: ArrayLike<number>, scale: PlotScale, area: PlotArea): string {
  const line = linePath(figures, scale, area);
  const foot = yOf(0, scale, area).toFixed(1);
  return line === "" ? "" : `${line}L${area.width} ${foot}L0 ${foot}Z`;
}

function extremesOf(figures: ArrayLike<number>, from: number, to: number): number[] {
  let low = from;
  let high = from;
  for (let at = from; at < to; at += 1) {
    if ((figures[at] ?? 0) < (figures[low] ?? 0)) low = at;
    if ((figures[at] ?? 0) > (figures[high] ?? 0)) high = at;
  }
  return low === high ? [low] : low < high ? [low, high] : [high, low];
}
