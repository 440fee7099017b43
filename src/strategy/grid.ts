import type { AlertCondition, Comparison, Operand } from "../domain/condition/condition.ts";
import { INDICATORS } from "../domain/condition/indicator-table.ts";
import type { SimulatedAgent } from "./simulation.ts";

/** A number in an agent's conditions that a grid can vary. */
export interface GridParameter {
  /** Identifies the number's place in the agent. */
  readonly id: string;
  /** For instance "Dip: RSI period". */
  readonly label: string;
  readonly value: number;
  readonly isWhole: boolean;
  /** Null where there is no lower bound. */
  readonly min: number | null;
  readonly max: number | null;
}

/** One parameter and its values. */
export interface GridAxis {
  readonly parameter: GridParameter;
  readonly values: readonly number[];
}

/** A number found in a condition, and how to replace it. */
interface Place {
  readonly parameter: Omit<GridParameter, "id">;
  readonly with: (value: number) => AlertCondition;
}

/** Returns the parameters of an agent that a grid can vary. */
export function gridParameters(agent: SimulatedAgent): GridParameter[] {
  return agent.alerts.flatMap(({ alertKey, name, condition }) => {
    const labels = placesOf(condition).map(({ parameter: { label } }) => label);
    return placesOf(condition).map(({ parameter }, at) => ({
      ...parameter,
      id: `${alertKey} ${at}`,
      label: `${name}: ${distinctLabel(labels, at)}`,
    }));
  });
}

/** Returns a label with its ordinal where a condition has several of the same text, like two averages. */
function distinctLabel(labels: readonly string[], at: number): string {
  const label = labels[at] ?? "";
  const equal = labels.flatMap((each, place) => (each === label ? [place] : []));
  return equal.length === 1 ? label : `${ordinal(equal.indexOf(at) + 1)} ${label}`;
}

const ordinal = (place: number): string => `${place}${["st", "nd", "rd"][place - 1] ?? "th"}`;

/** Returns the agent with another value for a parameter. */
export function withParameter(agent: SimulatedAgent, id: string, value: number): SimulatedAgent {
  const alerts = agent.alerts.map((alert) => {
    const place = placesOf(alert.condition).find((_, at) => `${alert.alertKey} ${at}` === id);
    return place === undefined ? alert : { ...alert, condition: place.with(value) };
  });
  return { ...agent, alerts };
}

/** Returns every combination of the axes' values, the first axis varying slowest. */
export function gridValues(axes: readonly GridAxis[]): number[][] {
  return axes.reduce<number[][]>(
    (rows, { values }) => rows.flatMap((row) => values.map((value) => [...row, value])),
    [[]],
  );
}

/** Returns `count` values around a parameter's own value, evenly spaced and within its range. */
export function spreadValues({ value, isWhole, min, max }: GridParameter, count: number): number[] {
  const reach = Math.max(Math.abs(value) / 2, isWhole ? Math.floor(count / 2) : 1e-9);
  const values = new Set<number>();
  for (let at = 0; at < count; at += 1) {
    const raw = value - reach + (count === 1 ? reach : (2 * reach * at) / (count - 1));
    const clamped = Math.min(max ?? raw, Math.max(min ?? raw, raw));
    values.add(isWhole ? Math.round(clamped) : Number(clamped.toPrecision(4)));
  }
  return [...values];
}

function placesOf(condition: AlertCondition | undefined): Place[] {
  if (condition === undefined) return [];
  if (condition.kind === "every-bars") {
    const parameter = {
      label: "every bars",
      value: condition.bars,
      isWhole: true,
      min: 1,
      max: 10_000,
    };
    return [{ parameter, with: (bars) => ({ ...condition, bars }) }];
  }
  if (condition.kind === "time-of-day") return [];
  return condition.all.flatMap((comparison, index) =>
    placesIn(comparison).map(({ parameter, put }) => ({
      parameter,
      with: (value: number): AlertCondition => ({
        ...condition,
        all: condition.all.map((each, at) => (at === index ? put(value) : each)),
      }),
    })),
  );
}

interface InComparison {
  readonly parameter: Place["parameter"];
  readonly put: (value: number) => Comparison;
}

function placesIn(comparison: Comparison): InComparison[] {
  const left = numbersOf(comparison.left).map(({ parameter, put }) => ({
    parameter,
    put: (value: number): Comparison => ({ ...comparison, left: put(value) }),
  }));
  if (!("right" in comparison)) {
    const parameter = {
      label: "bars in a row",
      value: comparison.bars,
      isWhole: true,
      min: 1,
      max: 50,
    };
    return [...left, { parameter, put: (bars) => ({ ...comparison, bars }) }];
  }
  const right = numbersOf(comparison.right).map(({ parameter, put }) => ({
    parameter,
    put: (value: number): Comparison => ({ ...comparison, right: put(value) }),
  }));
  return [...left, ...right];
}

function numbersOf(
  operand: Operand,
): { parameter: Place["parameter"]; put: (value: number) => Operand }[] {
  if (operand.kind === "number") {
    const parameter = {
      label: "level",
      value: operand.value,
      isWhole: false,
      min: null,
      max: null,
    };
    return [{ parameter, put: (value) => ({ ...operand, value }) }];
  }
  if (operand.kind !== "indicator") return [];
  const { label, parameters } = INDICATORS[operand.name];
  return parameters.map(({ name, isWhole, min, max }, index) => ({
    parameter: {
      label: `${label} ${name}`,
      value: operand.parameters[index] ?? min,
      isWhole,
      min,
      max,
    },
    put: (value: number): Operand => ({
      ...operand,
      parameters: operand.parameters.map((each, at) => (at === index ? value : each)),
    }),
  }));
}
