import type {
  AlertCondition,
  Comparison,
  Session,
  Operand,
  OtherBars,
} from "../../../../domain/condition/condition.ts";
import { INTERVAL_PRESETS, isMultipleOf, parseInterval } from "../../../../domain/interval.ts";
import {
  INDICATORS,
  type IndicatorName,
  POSITION_FIGURES,
  type PositionFigure,
  PRICE_FIELDS,
  type PriceField,
  specOf,
} from "../../../../domain/condition/indicator-table.ts";
import type { SelectGroup } from "../../../ui/select.tsx";

type IndicatorOperand = Extract<Operand, { kind: "indicator" }>;

const NUMBER = "number";

const FIGURES: Readonly<Record<PositionFigure, string>> = {
  "bars-since-entry": "bars since entry",
  "profit-percent": "profit in %",
  "drop-from-best-percent": "drop from best in %",
};

const names = Object.keys(INDICATORS) as IndicatorName[];

/** Options for a side of a comparison, grouped by topic. */
export const OPERAND_GROUPS: readonly SelectGroup[] = [
  {
    label: "Price of the bar",
    options: PRICE_FIELDS.map((field) => ({ value: `price ${field}`, label: field })),
  },
  { label: "Number", options: [{ value: NUMBER, label: "number" }] },
  {
    label: "Indicators",
    options: names.map((name) => ({
      value: `indicator ${name}`,
      label: INDICATORS[name].label,
      note: INDICATORS[name].fullName,
    })),
  },
  {
    label: "Open position",
    options: POSITION_FIGURES.map((figure) => ({
      value: `position ${figure}`,
      label: FIGURES[figure],
    })),
  },
];

/** Returns the select's value for an operand. */
export function choiceOf(operand: Operand): string {
  switch (operand.kind) {
    case "number":
      return NUMBER;
    case "price":
      return `price ${operand.field}`;
    case "indicator":
      return `indicator ${operand.name}`;
    case "position":
      return `position ${operand.figure}`;
  }
}

/** Returns the operand of a choice with default parameters. */
export function operandOf(choice: string): Operand {
  const [kind, rest = ""] = choice.split(" ");
  switch (kind) {
    case "price":
      return { kind, field: rest as PriceField };
    case "indicator":
      return indicatorOf(rest as IndicatorName);
    case "position":
      return { kind, figure: rest as PositionFigure };
    default:
      return { kind: "number", value: 0 };
  }
}

/** Returns an indicator with default parameters and its first output. */
function indicatorOf(name: IndicatorName): IndicatorOperand {
  const { outputs, parameters } = specOf(name);
  return {
    kind: "indicator",
    name,
    output: outputs[0] ?? "",
    parameters: parameters.map((parameter) => parameter.default),
  };
}

/** Returns the operand with a price source; the default, close, is omitted. */
export function withSource(operand: IndicatorOperand, source: PriceField): IndicatorOperand {
  const { source: _before, ...rest } = operand;
  return source === "close" ? rest : { ...rest, source };
}

/** Returns the operand with a bar offset; the default, 0, is omitted. */
export function withBarsBack<O extends Extract<Operand, { barsBack?: number }>>(
  operand: O,
  barsBack: number,
): O {
  const { barsBack: _before, ...rest } = operand;
  return (barsBack === 0 ? rest : { ...rest, barsBack }) as O;
}

/** Value of the selects for the agent's own interval and asset. */
export const OWN = "own";

/** Returns the usual intervals that bars of the agent's add up to; none until it is chosen. */
export function longerIntervals(intervalMinutes: number | null): readonly string[] {
  if (intervalMinutes === null) return [];
  return INTERVAL_PRESETS.filter((text) =>
    isMultipleOf(parseInterval(text)?.minutes ?? 0, intervalMinutes),
  );
}

/** Returns the operand read on bars of another interval or asset; the value `OWN` stands for the agent's. */
export function withOtherBars<O extends Extract<Operand, { on?: OtherBars }>>(
  operand: O,
  changed: OtherBars,
): O {
  const { on: before, ...rest } = operand;
  const on = Object.entries({ ...before, ...changed }).filter(([, value]) => value !== OWN);
  return (on.length === 0 ? rest : { ...rest, on: Object.fromEntries(on) }) as O;
}

/** Kind of a condition. */
export type ConditionKind = AlertCondition["kind"];

/** Default comparison, with a widely known indicator. */
const FIRST: Comparison = {
  left: indicatorOf("RSI"),
  is: "crosses-above",
  right: { kind: "number", value: 30 },
};

const NEXT: Comparison = {
  left: { kind: "price", field: "close" },
  is: "above",
  right: { ...indicatorOf("EMA"), parameters: [200] },
};

/** Default condition. */
export const FIRST_CONDITION: AlertCondition = { kind: "comparisons", all: [FIRST] };

/** Default session: Monday to Friday, 08:00 to 20:00 UTC. */
export const FIRST_SESSION: Session = { days: [1, 2, 3, 4, 5], fromUtc: "08:00", toUtc: "20:00" };

/** Returns a condition of another kind with default values. */
export function conditionOfKind(kind: ConditionKind): AlertCondition {
  switch (kind) {
    case "comparisons":
      return FIRST_CONDITION;
    case "every-bars":
      return { kind, bars: 4 };
    case "time-of-day":
      return { kind, atUtc: "12:00" };
  }
}

type Comparing = Extract<AlertCondition, { kind: "comparisons" }>;

export const withComparison = (
  condition: Comparing,
  index: number,
  comparison: Comparison,
): Comparing => ({ ...condition, all: condition.all.with(index, comparison) });

export const withoutComparison = (condition: Comparing, index: number): Comparing => ({
  ...condition,
  all: condition.all.filter((_each, at) => at !== index),
});

export const withNextComparison = (condition: Comparing): Comparing => ({
  ...condition,
  all: [...condition.all, condition.all.length === 0 ? FIRST : NEXT],
});

export function withSession(condition: Comparing, session: Session | null): Comparing {
  const { session: _before, ...rest } = condition;
  return session === null ? rest : { ...rest, session };
}

/** Returns the comparison with another relation. */
export function withRelation(comparison: Comparison, is: Comparison["is"]): Comparison {
  const { left } = comparison;
  if (is === "rises-for" || is === "falls-for") {
    return { left, is, bars: "bars" in comparison ? comparison.bars : 3 };
  }
  return { left, is, right: "right" in comparison ? comparison.right : FIRST_RIGHT };
}

const FIRST_RIGHT = { kind: "number", value: 0 } as const;
