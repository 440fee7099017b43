import type { AlertCondition, Comparison, OtherBars, Operand, Session } from "./condition.ts";
import { INDICATORS, type PositionFigure } from "./indicator-table.ts";

const COMPARISON_WORDS: Readonly<Record<Comparison["is"], string>> = {
  above: "above",
  below: "below",
  "crosses-above": "crosses above",
  "crosses-below": "crosses below",
  "rises-for": "rises for",
  "falls-for": "falls for",
};

const POSITION_WORDS: Readonly<Record<PositionFigure, string>> = {
  "bars-since-entry": "bars since entry",
  "profit-percent": "profit in %",
  "drop-from-best-percent": "drop from best in %",
};

const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;

const countedBars = (bars: number): string => (bars === 1 ? "1 bar" : `${bars} bars`);

/** Returns an operand in words, for instance "EMA 20 of high on 4h 2 bars ago". */
export function operandText(operand: Operand): string {
  switch (operand.kind) {
    case "number":
      return String(operand.value);
    case "position":
      return POSITION_WORDS[operand.figure];
    case "price":
      return ofText(operand.on) + operand.field + onText(operand.on) + agoText(operand.barsBack);
    case "indicator": {
      const { label, outputs } = INDICATORS[operand.name];
      const source =
        operand.source === undefined || operand.source === "close" ? [] : ["of", operand.source];
      const output = outputs.length > 1 ? [operand.output] : [];
      const figure = [label, ...operand.parameters, ...output, ...source].join(" ");
      return ofText(operand.on) + figure + onText(operand.on) + agoText(operand.barsBack);
    }
  }
}

const ofText = (on: OtherBars | undefined): string =>
  on?.asset === undefined ? "" : `${on.asset} `;

const onText = (on: OtherBars | undefined): string =>
  on?.interval === undefined ? "" : ` on ${on.interval}`;

const agoText = (barsBack = 0): string => (barsBack === 0 ? "" : ` ${countedBars(barsBack)} ago`);

/** Returns one comparison in plain words, for instance "RSI 14 crosses above 30". */
export function comparisonText(comparison: Comparison): string {
  const { left, is } = comparison;
  const right =
    "right" in comparison ? operandText(comparison.right) : countedBars(comparison.bars);
  return `${operandText(left)} ${COMPARISON_WORDS[is]} ${right}`;
}

/** Returns ISO days of the week in words; runs of three or more become a range. */
export function daysText(days: readonly number[]): string {
  const sorted = days.toSorted((a, b) => a - b);
  if (sorted.length === 7) return "every day";
  const first = sorted[0] ?? 1;
  const isRun = sorted.length > 2 && sorted.every((day, index) => day === first + index);
  const names = sorted.map((day) => DAYS[day - 1] ?? "");
  return isRun ? `${names[0]}–${names.at(-1)}` : names.join(", ");
}

const sessionText = ({ days, fromUtc, toUtc }: Session): string =>
  fromUtc === toUtc ? daysText(days) : `${daysText(days)} ${fromUtc}–${toUtc} UTC`;

/** Returns a condition in plain words. */
export function conditionText(condition: AlertCondition): string {
  switch (condition.kind) {
    case "comparisons": {
      const all = condition.all.map(comparisonText).join(" and ");
      return condition.session === undefined ? all : `${all}, ${sessionText(condition.session)}`;
    }
    case "every-bars":
      return condition.bars === 1 ? "every bar" : `every ${condition.bars} bars`;
    case "time-of-day": {
      const on = condition.days === undefined ? "" : `, ${daysText(condition.days)}`;
      return `at ${condition.atUtc} UTC${on}`;
    }
  }
}

/** Returns a canonical text that is equal for equivalent conditions, whatever the order of their fields. */
export function conditionKey(condition: AlertCondition | null | undefined): string {
  return JSON.stringify(condition ?? null, (_key, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

/** Returns the words that follow "fires": "when RSI 14 crosses above 30", "every 4 bars", "at 08:00 UTC". */
export function firingText(condition: AlertCondition): string {
  const text = conditionText(condition);
  return condition.kind === "comparisons" ? `when ${text}` : text;
}
