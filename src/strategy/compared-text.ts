import type { ComparedFigures } from "./firing.ts";

const DIGITS = 6;

const figureText = (figure: number): string => String(Number(figure.toPrecision(DIGITS)));

/**
 * Returns a comparison with the figures it held on, for instance "RSI 14 crosses above 30: 31.2, before 29.7".
 *
 * A fixed number is already in the sentence; of two variable figures both are named.
 */
export function comparedText(compared: ComparedFigures): string {
  const { text, left, right, leftBefore, rightBefore } = compared;
  const isFixed = right === null || text.endsWith(` ${right}`);
  const pair = (one: number, other: number | null): string =>
    isFixed || other === null ? figureText(one) : `${figureText(one)} and ${figureText(other)}`;
  const before = leftBefore === null ? "" : `, before ${pair(leftBefore, rightBefore)}`;
  return `${text}: ${pair(left, right)}${before}`;
}
