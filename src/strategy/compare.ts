import type { Comparison } from "../domain/condition/condition.ts";
import { comparisonText } from "../domain/condition/condition-text.ts";
import type { Figure, Figures } from "./figures.ts";
import type { ComparedFigures } from "./firing.ts";

/** Relative difference below which two figures count as equal: smaller differences are rounding. */
const EQUAL_WITHIN = 1e-9;

/** Returns whether a figure is above another one; false where either is missing. */
export function isAbove(left: number, right: number): boolean {
  return left - right > EQUAL_WITHIN * Math.max(Math.abs(left), Math.abs(right));
}

/** One comparison bound to the figures it reads. */
export interface BoundComparison {
  holds(): boolean;
  figures(): ComparedFigures;
}

/** Binds a comparison to its figures. */
export function bindComparison(comparison: Comparison, figures: Figures): BoundComparison {
  const text = comparisonText(comparison);
  if (!("right" in comparison)) {
    const { is, bars } = comparison;
    const left = figures.figureOf(comparison.left, bars);
    return {
      holds: () => isCourse(left, bars, is === "rises-for"),
      figures: () => ({
        text,
        left: left.at(0),
        right: null,
        leftBefore: left.at(1),
        rightBefore: null,
      }),
    };
  }
  const crosses = comparison.is === "crosses-above" || comparison.is === "crosses-below";
  const left = figures.figureOf(comparison.left, crosses ? 1 : 0);
  const right = figures.figureOf(comparison.right, crosses ? 1 : 0);
  const isUp = comparison.is === "above" || comparison.is === "crosses-above";
  const [high, low] = isUp ? [left, right] : [right, left];
  return {
    holds: () => isAbove(high.at(0), low.at(0)) && (!crosses || wasNotAbove(high.at(1), low.at(1))),
    figures: () => ({
      text,
      left: left.at(0),
      right: right.at(0),
      leftBefore: crosses ? left.at(1) : null,
      rightBefore: crosses ? right.at(1) : null,
    }),
  };
}

/** Returns whether the bar before was not above; false where a figure is missing, so that nothing crosses there. */
function wasNotAbove(left: number, right: number): boolean {
  return !Number.isNaN(left - right) && !isAbove(left, right);
}

function isCourse(figure: Figure, bars: number, isUp: boolean): boolean {
  for (let back = 0; back < bars; back += 1) {
    const now = figure.at(back);
    const before = figure.at(back + 1);
    if (!(isUp ? isAbove(now, before) : isAbove(before, now))) return false;
  }
  return true;
}
