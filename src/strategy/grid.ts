import {
  type AlertCondition,
  type Comparison,
  MAX_SCHEDULE_BARS,
  MAX_TREND_BARS,
  type Operand,
} from "../domain/condition/condition.ts";
import { INDICATORS, specOf, valuesOf } from "../domain/condition/indicator-table.ts";
import {
  type Distance,
  type Plan,
  PLAN_RANGES,
  type Stop,
  type Trail,
  type TargetDistance,
} from "../domain/plan/plan.ts";
import type { SimulatedAgent, SimulationInput, SimulationResult } from "./simulation.ts";
import { tStatistic } from "./measures.ts";
import { dailyReturnsOf, type Measures, measuresOf } from "./measures.ts";
import { conditionsOf } from "./firing-source.ts";
import { inSampleCount, splitRun } from "./out-of-sample.ts";
import { backtestOverfitting, type WalkForward, walkForward } from "./overfitting.ts";
import { simulate } from "./simulate.ts";
import { warmUpBars } from "./evaluate-conditions.ts";

/** A number in an agent's conditions or plan that a grid can vary. */
export interface GridParameter {
  /** Identifies the number within the agent. */
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

/** A number found in a condition or a part of one, and how to replace it there. */
interface Slot<Part> {
  readonly parameter: Omit<GridParameter, "id">;
  readonly put: (value: number) => Part;
}

/** Returns the parameters of an agent that a grid can vary. */
export function gridParameters(agent: SimulatedAgent): GridParameter[] {
  const ofPlan = planSlots(agent.plan).map(({ parameter }, at) => ({
    ...parameter,
    id: `${PLAN_ID}${at}`,
  }));
  const ofAlerts = agent.alerts.flatMap(({ alertKey, name, condition }) => {
    const labels = slotsOf(condition).map(({ parameter: { label } }) => label);
    return slotsOf(condition).map(({ parameter }, at) => ({
      ...parameter,
      id: `${alertKey} ${at}`,
      label: `${name}: ${distinctLabel(labels, at)}`,
    }));
  });
  return [...ofAlerts, ...ofPlan];
}

/** Alert names are trimmed, so that none begins with a space. */
const PLAN_ID = " plan ";

/** Returns a label with its ordinal where a condition has several of the same text, like two averages. */
function distinctLabel(labels: readonly string[], at: number): string {
  const label = labels[at] ?? "";
  const equal = labels.flatMap((each, index) => (each === label ? [index] : []));
  return equal.length === 1 ? label : `${ordinal(equal.indexOf(at) + 1)} ${label}`;
}

const ordinal = (rank: number): string => `${rank}${["st", "nd", "rd"][rank - 1] ?? "th"}`;

/** Returns the agent with another value for a parameter. */
export function withParameter(agent: SimulatedAgent, id: string, value: number): SimulatedAgent {
  if (id.startsWith(PLAN_ID)) {
    const slot = planSlots(agent.plan)[Number(id.slice(PLAN_ID.length))];
    return slot === undefined ? agent : { ...agent, plan: slot.put(value) };
  }
  const alerts = agent.alerts.map((alert) => {
    const slot = slotsOf(alert.condition).find((_, at) => `${alert.alertKey} ${at}` === id);
    return slot === undefined ? alert : { ...alert, condition: slot.put(value) };
  });
  return { ...agent, alerts };
}

/**
 * Returns every combination of the axes' values that is a variant, the first axis varying slowest. One that turns a fast
 * length and a slow one round, or makes them equal, is none.
 */
export function gridValues(agent: SimulatedAgent, axes: readonly GridAxis[]): number[][] {
  const ids = axes.map(({ parameter }) => parameter.id);
  const order = lengthOrder(agent);
  return axes
    .reduce<number[][]>(
      (rows, { values }) => rows.flatMap((row) => values.map((value) => [...row, value])),
      [[]],
    )
    .filter((row) => isInOrder(withParameters(agent, ids, row), order));
}

const comparisonsOf = ({ alerts }: SimulatedAgent): readonly Comparison[] =>
  alerts.flatMap(({ condition }) => (condition?.kind === "comparisons" ? condition.all : []));

const indicatorsOf = (comparison: Comparison) =>
  [comparison.left, ...("right" in comparison ? [comparison.right] : [])].filter(
    (operand) => operand.kind === "indicator",
  );

/** Returns by comparison which of two equal indicators is the faster one: -1 the left, 1 the right, 0 neither. */
const lengthOrder = (agent: SimulatedAgent): readonly number[] =>
  comparisonsOf(agent).map((comparison) => {
    const [left, right] = indicatorsOf(comparison);
    if (left === undefined || right === undefined) return 0;
    const kindOf = ({ name, output, on }: typeof left) => JSON.stringify([name, output, on]);
    const [one = 0, other = 0] = [left.parameters[0], right.parameters[0]];
    return kindOf(left) === kindOf(right) ? Math.sign(one - other) : 0;
  });

/** Returns whether each fast length is below its slow one, as in the agent itself. */
function isInOrder(variant: SimulatedAgent, order: readonly number[]): boolean {
  const isFaulty = comparisonsOf(variant)
    .flatMap(indicatorsOf)
    .some(
      ({ name, parameters }) => (specOf(name).fault?.(valuesOf(name, parameters)) ?? null) !== null,
    );
  return !isFaulty && lengthOrder(variant).every((sign, at) => !order[at] || sign === order[at]);
}

/** Returns the agent with other values for some parameters. */
export const withParameters = (
  agent: SimulatedAgent,
  ids: readonly string[],
  values: readonly number[],
): SimulatedAgent =>
  values.reduce((each, value, at) => withParameter(each, ids[at] ?? "", value), agent);

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

/** Returns the slots of a part as those of the whole that `wrap` makes of a changed part. */
const within = <Part, Whole>(
  slots: readonly Slot<Part>[],
  wrap: (changed: Part) => Whole,
): Slot<Whole>[] =>
  slots.map(({ parameter, put }) => ({ parameter, put: (value) => wrap(put(value)) }));

const countOfBars = (label: string, value: number, max: number) =>
  ({ label, value, isWhole: true, min: 1, max }) as const;

function slotsOf(condition: AlertCondition | undefined): Slot<AlertCondition>[] {
  if (condition === undefined || condition.kind === "time-of-day") return [];
  if (condition.kind === "every-bars") {
    const parameter = countOfBars("every bars", condition.bars, MAX_SCHEDULE_BARS);
    return [{ parameter, put: (bars) => ({ ...condition, bars }) }];
  }
  const { all } = condition;
  return all.flatMap((comparison, index) =>
    within(slotsIn(comparison), (changed) => ({ ...condition, all: all.with(index, changed) })),
  );
}

function slotsIn(comparison: Comparison): Slot<Comparison>[] {
  const left = within(numbersOf(comparison.left), (changed) => ({ ...comparison, left: changed }));
  if ("right" in comparison) {
    const right = within(numbersOf(comparison.right), (changed) => ({
      ...comparison,
      right: changed,
    }));
    return [...left, ...right];
  }
  const parameter = countOfBars("bars in a row", comparison.bars, MAX_TREND_BARS);
  return [...left, { parameter, put: (bars) => ({ ...comparison, bars }) }];
}

function numbersOf(operand: Operand): Slot<Operand>[] {
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
  return parameters.map(({ name, isWhole, min, max }, index) => {
    const value = operand.parameters[index] ?? min;
    return {
      parameter: { label: `${label} ${name}`, value, isWhole, min, max },
      put: (changed) => ({ ...operand, parameters: operand.parameters.with(index, changed) }),
    };
  });
}

/** A figure held in hundredths, shown as a number with two decimals. */
const hundredths = <Part>(
  label: string,
  value: number,
  range: { readonly least: number; readonly most: number },
  put: (hundredths: number) => Part,
): Slot<Part> => ({
  parameter: {
    label,
    value: value / 100,
    isWhole: false,
    min: range.least / 100,
    max: range.most / 100,
  },
  put: (changed) => put(Math.round(changed * 100)),
});

const distanceSlot = (label: string, at: Distance): Slot<Distance> =>
  at.kind === "percent"
    ? hundredths(`${label}, %`, at.bps, PLAN_RANGES.stopBps, (bps) => ({ ...at, bps }))
    : hundredths(
        `${label}, ATRs`,
        at.timesHundredths,
        PLAN_RANGES.atrTimesHundredths,
        (timesHundredths) => ({ ...at, timesHundredths }),
      );

const trailSlots = (stop: Stop, trail: Trail): Slot<Stop>[] =>
  within([distanceSlot("Trail", trail.by)], (by) => ({ ...stop, trail: { ...trail, by } }));

function planSlots(plan: Plan | null | undefined): Slot<Plan>[] {
  if (!plan) return [];
  const { stop, targets = [], holdBars } = plan;
  const ofStop =
    stop === undefined
      ? []
      : within(
          [
            ...within([distanceSlot("Stop", stop.at)], (at) => ({ ...stop, at })),
            ...(stop.trail === undefined ? [] : trailSlots(stop, stop.trail)),
          ],
          (changed): Plan => ({ ...plan, stop: changed }),
        );
  const ofTargets = targets.map((target, index) => {
    const label = targets.length === 1 ? "Target" : `Target ${index + 1}`;
    const { at } = target;
    const slot: Slot<TargetDistance> =
      at.kind === "percent"
        ? hundredths(`${label}, %`, at.bps, PLAN_RANGES.targetBps, (bps) => ({ ...at, bps }))
        : hundredths(`${label}, R`, at.timesHundredths, PLAN_RANGES.rTimesHundredths, (times) => ({
            ...at,
            timesHundredths: times,
          }));
    return within([slot], (changed): Plan => {
      const others = targets.with(index, { ...target, at: changed });
      return { ...plan, targets: others };
    });
  });
  const ofHold: Slot<Plan>[] =
    holdBars === undefined
      ? []
      : [
          {
            parameter: countOfBars("Bars to hold", holdBars, PLAN_RANGES.holdBars.most),
            put: (bars) => ({ ...plan, holdBars: bars }),
          },
        ];
  return [...ofStop, ...ofTargets.flat(), ...ofHold];
}

/** Result of one variant of a grid on the in-sample bars; the grid never sees the others. */
export interface GridCell {
  readonly values: readonly number[];
  readonly totalReturn: number;
  /** Annualised; null where it is undefined. */
  readonly sharpe: number | null;
  /** T statistic of the mean return; null where it is undefined. */
  readonly tStatistic: number | null;
  readonly closedTrades: number;
  /** Return of each day, in every cell of the same days. */
  readonly returns: readonly number[];
}

/** Inputs of a grid. `fromMs` is after the warm-up of every variant, so that all run over the same bars. */
export interface GridInput {
  readonly input: SimulationInput;
  /** Parameters that a variant's values replace, in the same order. */
  readonly ids: readonly string[];
}

/** A grid over the bars on which its variants are compared, and over all, for the one that is chosen there. */
export interface SplitGrid {
  readonly inSample: GridInput;
  readonly whole: GridInput;
}

/**
 * Returns what a grid may see: its variants run on the in-sample bars, from the time at which each of them is warmed up;
 * all bars are for the chosen one alone.
 */
export function splitGrid(
  input: SimulationInput,
  ids: readonly string[],
  rows: readonly (readonly number[])[],
): SplitGrid {
  const { agent, bars } = input;
  const longest = rows.reduce((most, values) => {
    const conditions = conditionsOf(withParameters(agent, ids, values));
    return Math.max(most, warmUpBars(conditions, agent.intervalMinutes));
  }, 0);
  const fromMs = Math.max(input.fromMs, bars[longest]?.openTimeMs ?? input.fromMs);
  const counted = bars.filter(({ openTimeMs }) => openTimeMs >= fromMs).length;
  const end = bars.length - counted + inSampleCount(counted);
  return {
    inSample: { input: { ...input, fromMs, bars: bars.slice(0, end) }, ids },
    whole: { input: { ...input, fromMs }, ids },
  };
}

/** Runs one variant of an in-sample grid. */
export const gridCell = (grid: GridInput, values: readonly number[]): GridCell =>
  cellOf(simulate(variantOf(grid, values)), values, grid.input.quoteDecimals);

/** Returns the cell of a run on the in-sample bars. */
export function cellOf(
  result: SimulationResult,
  values: readonly number[],
  quoteDecimals: number,
): GridCell {
  const { totalReturn, sharpe, sample, closedTrades } = measuresOf(result, quoteDecimals);
  const returns = dailyReturnsOf(result, quoteDecimals);
  return { values, totalReturn, sharpe, tStatistic: tStatistic(sample), closedTrades, returns };
}

/** Which variant is chosen, and how far choosing it is to be trusted. */
export interface GridChoice {
  /** Index of the variant with the highest in-sample return among those that traded; null if none did. */
  readonly best: number | null;
  /** Probability of backtest overfitting, from 0 to 1; null for too few variants or days. */
  readonly overfitting: number | null;
  /** Null for too few variants or days. */
  readonly walk: WalkForward | null;
}

/** Chooses among the variants by their in-sample results. */
export function chooseCell(cells: readonly GridCell[]): GridChoice {
  let best: number | null = null;
  for (const [at, { closedTrades, totalReturn }] of cells.entries()) {
    const record = best === null ? -Infinity : (cells[best]?.totalReturn ?? -Infinity);
    if (closedTrades > 0 && totalReturn > record) best = at;
  }
  const returns = cells.map((cell) => cell.returns);
  return { best, overfitting: backtestOverfitting(returns), walk: walkForward(returns) };
}

/** Runs the chosen variant over all bars and returns its out-of-sample measures; null for fewer than ten bars. */
export function outOfSampleMeasures(grid: GridInput, values: readonly number[]): Measures | null {
  const result = simulate(variantOf(grid, values));
  return splitRun(result, grid.input.quoteDecimals)?.outOfSample ?? null;
}

/** Returns the input of one variant. */
export const variantOf = (
  { input, ids }: GridInput,
  values: readonly number[],
): SimulationInput => ({ ...input, agent: withParameters(input.agent, ids, values) });
