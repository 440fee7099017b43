import type {
  AlertCondition,
  Comparison,
  Operand,
  Session,
  TrendComparison,
} from "../../domain/condition/condition.ts";
import { conditionText, operandText } from "../../domain/condition/condition-text.ts";
import type { Plan, Distance, TargetDistance } from "../../domain/plan/plan.ts";
import { helpersFor } from "./pine-functions.ts";
import {
  assetsReadBy,
  comparisonsOf,
  operandsOf,
  type ReadBars,
  readBarsOf,
  warmUps,
} from "../warm-up.ts";
import { INDICATORS, valuesOf } from "../../domain/condition/indicator-table.ts";
import { FIRST_MONDAY_MS, WEEK_MS } from "../bar-times.ts";
import { timeOfDayMs } from "../schedule.ts";

type IndicatorOperand = Extract<Operand, { readonly kind: "indicator" }>;

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

/** Returns an operand's value `barsBefore` bars before the current one, as Pine. */
function figure(operand: Operand, barsBefore = 0): string {
  switch (operand.kind) {
    case "number":
      return String(operand.value);
    case "position":
      throw new RangeError("A figure of the position is not known to a chart.");
    case "price":
    case "indicator": {
      if (operand.on !== undefined) return indexed(otherName(operand), barsBefore);
      const name = operand.kind === "price" ? operand.field : pineVariable(operand);
      return indexed(name, (operand.barsBack ?? 0) + barsBefore);
    }
  }
}

const indexed = (name: string, back: number): string => (back === 0 ? name : `${name}[${back}]`);

type BarOperand = Extract<Operand, { readonly kind: "price" | "indicator" }>;

/** Length in minutes that stands for the chart's own bars. */
const CHART_BARS = 0;

/** Returns the other bars an operand is read from; null for the chart's. */
const otherOf = (operand: Operand): ReadBars | null => readBarsOf(operand, CHART_BARS);

/** Returns the variable that holds a figure of other bars on the chart's bars. */
function otherName(operand: BarOperand, trend = ""): string {
  const name = operand.kind === "price" ? operand.field : pineVariable(operand);
  const back = operand.barsBack === undefined ? "" : `_back${operand.barsBack}`;
  return `${trend}${name}${back}_on${otherOf(operand)?.key}`;
}

const trendPrefix = ({ is, bars }: TrendComparison): string =>
  `${is === "rises-for" ? "rises" : "falls"}${bars}_`;

/** Returns a comparison as a Pine expression. */
function comparisonExpression(comparison: Comparison): string {
  const { left, is } = comparison;
  if (!("right" in comparison)) {
    if (otherOf(left) !== null) return otherName(left as BarOperand, trendPrefix(comparison));
    return `${is === "rises-for" ? "rises" : "falls"}(${figure(left)}, ${comparison.bars})`;
  }
  const isUp = is === "above" || is === "crosses-above";
  const [high, low] = isUp ? [left, comparison.right] : [comparison.right, left];
  return is === "above" || is === "below"
    ? `above(${figure(high)}, ${figure(low)})`
    : `crosses(${figure(high)}, ${figure(low)}, ${figure(high, 1)}, ${figure(low, 1)})`;
}

const daysText = (days: readonly number[] = [1, 2, 3, 4, 5, 6, 7]): string =>
  `"${days.toSorted((a, b) => a - b).join("")}"`;

function sessionExpression({ days, fromUtc, toUtc }: Session): string {
  const from = timeOfDayMs(fromUtc);
  const span = timeOfDayMs(toUtc) - from;
  return `inSession(${from}, ${span > 0 ? span : span + DAY_MS}, ${daysText(days)})`;
}

/**
 * Returns one Pine expression per comparison that must hold.
 *
 * Each is assigned to a variable of its own: Pine skips the operands after a false `and`, and a skipped call loses its
 * history.
 */
function conditionExpressions(
  condition: AlertCondition,
  intervalMinutes: number,
): readonly string[] {
  switch (condition.kind) {
    case "comparisons": {
      const { all, session } = condition;
      return [
        ...all.map(comparisonExpression),
        ...(session === undefined ? [] : [sessionExpression(session)]),
      ];
    }
    case "every-bars": {
      const lengthMs = intervalMinutes * MINUTE_MS;
      const anchor = lengthMs === WEEK_MS ? FIRST_MONDAY_MS : 0;
      return [`barNumber(${lengthMs}, ${anchor}) % ${condition.bars} == 0`];
    }
    case "time-of-day":
      return [`isDue(${timeOfDayMs(condition.atUtc)}, ${daysText(condition.days)})`];
  }
}

/** Returns the prefix of an indicator's variables; equal indicators share it. */
function pineId({ name, parameters, source = "close" }: IndicatorOperand): string {
  const numbers = parameters.map((value) => String(value).replace(".", "p"));
  return [name.toLowerCase(), ...numbers, ...(source === "close" ? [] : [source])].join("_");
}

/** Returns the variable that holds an operand's value. */
function pineVariable(operand: IndicatorOperand, prefix = ""): string {
  const id = prefix + pineId(operand);
  return INDICATORS[operand.name].outputs.length === 1 ? id : `${id}_${operand.output}`;
}

/** Returns the lines that compute an indicator. */
function pineDefinition(operand: IndicatorOperand, prefix = ""): readonly string[] {
  const { name, parameters, source = "close" } = operand;
  return INDICATORS[name].pine(prefix + pineId(operand), valuesOf(name, parameters), source);
}

/** Prefix of variables that are computed on other bars, so that none hides one of the chart's. */
const INSIDE = "in_";

/** Returns the chart's name of a length in minutes; null where the platform counts such bars from another day. */
function timeframeOf(minutes: number): string | null {
  if (minutes === CHART_BARS) return "timeframe.period";
  if (minutes < DAY_MS / MINUTE_MS) return `"${minutes}"`;
  if (minutes * MINUTE_MS === DAY_MS) return '"1D"';
  return minutes * MINUTE_MS === WEEK_MS ? '"1W"' : null;
}

/**
 * Returns the lines that compute the figures of other bars. An offset of one bar with lookahead is how the platform
 * gives the last bar that closed before the chart's bar did, on past and current bars alike.
 */
function otherLines(conditions: readonly AlertCondition[]): readonly string[] {
  const comparisons = conditions.flatMap(comparisonsOf);
  const operands = comparisons.flatMap(operandsOf);
  const others = new Map(
    operands.flatMap((operand) => {
      const read = otherOf(operand);
      return read === null ? [] : [[read.key, read] as const];
    }),
  );
  return [
    ...assetsReadBy(conditions).map(
      (asset) => `symbol${asset} = input.symbol("BINANCE:${asset.toUpperCase()}USDT", "${asset}")`,
    ),
    ...[...others.values()].flatMap(({ key, minutes, asset }) => {
      const values = new Map(comparisons.flatMap((each) => otherValues(each, key)));
      const read = operands.filter((each) => otherOf(each)?.key === key);
      const lines = new Set(
        read.flatMap((each) => (each.kind === "indicator" ? pineDefinition(each, INSIDE) : [])),
      );
      const names = [`bars_on${key}`, ...values.keys()].join(", ");
      const symbol = asset === undefined ? "syminfo.tickerid" : `symbol${asset}`;
      return [
        `on${key}() =>`,
        ...[...lines].map((line) => `    ${line}`),
        `    [${["bar_index", ...values.values()].join(", ")}]`,
        `[${names}] = request.security(${symbol}, ${timeframeOf(minutes)}, on${key}(), lookahead = barmerge.lookahead_on)`,
      ];
    }),
  ];
}

/** Returns the variables of one comparison that are computed on other bars, with their expressions there. */
function otherValues(comparison: Comparison, key: string): readonly [string, string][] {
  return operandsOf(comparison).flatMap((operand): [string, string][] => {
    if (operand.kind !== "price" && operand.kind !== "indicator") return [];
    if (otherOf(operand)?.key !== key) return [];
    const name = operand.kind === "price" ? operand.field : pineVariable(operand, INSIDE);
    const value = indexed(name, (operand.barsBack ?? 0) + 1);
    if ("right" in comparison) return [[otherName(operand), value]];
    const call = comparison.is === "rises-for" ? "rises" : "falls";
    return [[otherName(operand, trendPrefix(comparison)), `${call}(${value}, ${comparison.bars})`]];
  });
}

/** Returns what has to hold for the script's figures to be warm. */
function warmExpression(conditions: readonly AlertCondition[], intervalMinutes: number): string {
  const { own, others } = warmUps(conditions, intervalMinutes);
  return [
    `bar_index >= ${own}`,
    ...[...others].map(([key, { bars }]) => `bars_on${key} >= ${bars}`),
  ].join(" and ");
}

/** Returns why an alert cannot be said in Pine; null where it can. */
function leftOutReason(condition: AlertCondition): string | null {
  for (const operand of operandsIn(condition)) {
    if (operand.kind === "position") {
      return `${operandText(operand)} is known to the agent, not to a chart.`;
    }
    const other = otherOf(operand);
    if (other !== null && timeframeOf(other.minutes) === null) {
      return `${operandText(operand)}: a chart counts bars of several days from another day than the agent.`;
    }
  }
  return null;
}

/** Placeholder for the time in a message, which the platform fills in. */
const TIME_PLACEHOLDER = "{{timenow}}";

export interface PineAlert {
  readonly name: string;
  readonly condition: AlertCondition;
  /** The webhook message of this alert, with the placeholder for its time. */
  readonly message: string;
}

export interface PineScript {
  /** Empty when none of the agent's conditions can be expressed in Pine. */
  readonly text: string;
  /** Alerts and parts of the plan that the script leaves out, with the reason. */
  readonly leftOut: readonly { readonly name: string; readonly reason: string }[];
  /** Differences that can make the script fire at other times than the agent's own conditions, a sentence each. */
  readonly differs: readonly string[];
}

const OTHER_DIFFERENCE =
  "Bars of another length or asset are the platform's own: where one is missing the agent's comparisons do not hold, the script's go on.";

const ASSET_DIFFERENCE = "Bars of another asset are those of the symbol in the script's settings.";

const DIFFERENCES = [
  "It computes on the bars of the chart it is on: their prices and volumes are not those of the agent's source.",
  "Comparisons do not fire on the first bar after a gap, here and on the agent alike; a bar may be missing in one place only.",
  "It does not fire on the chart's first bars, as many as the agent warms its indicators up on.",
];

const PLAN_NOTE =
  "// The agent carries out its plan itself, so this script places no order. In a strategy of your own the plan is:";

interface PineInput {
  readonly title: string;
  /** The interval as users write it, for instance 1h. */
  readonly interval: string;
  readonly intervalMinutes: number;
  readonly alerts: readonly PineAlert[];
  readonly plan?: Plan | null | undefined;
  readonly leverage?: number | undefined;
}

/** Returns a Pine Script v6 indicator that evaluates the conditions and sends the agent's own messages. */
export function pineScript({
  title,
  interval,
  intervalMinutes,
  alerts,
  plan,
  leverage,
}: PineInput): PineScript {
  const ofPlan = pinePlan(plan ?? {}, leverage);
  const silent = alerts.flatMap(({ name, condition }) => {
    const reason = leftOutReason(condition);
    return reason === null ? [] : [{ name, reason }];
  });
  const said = alerts.filter(({ name }) => !silent.some((each) => each.name === name));
  const leftOut = [...silent, ...ofPlan.leftOut];
  if (said.length === 0) return { text: "", leftOut, differs: [] };
  const conditions = said.map(({ condition }) => condition);
  const others = otherLines(conditions);
  const differs = [
    ...DIFFERENCES,
    ...(others.length === 0 ? [] : [OTHER_DIFFERENCE]),
    ...(assetsReadBy(conditions).length === 0 ? [] : [ASSET_DIFFERENCE]),
  ];
  const computed = [
    ...definitions(conditions),
    ...others,
    `isWarm = ${warmExpression(conditions, intervalMinutes)}`,
    `now = str.format_time(timenow, "yyyy-MM-dd'T'HH:mm:ss'Z'", "UTC")`,
  ];
  const decided = said.map((alert, index) => alertLines(alert, index + 1, intervalMinutes));
  const helpers = helpersFor([...computed, ...decided.flatMap(({ rules }) => rules)]);
  const lines = [
    "//@version=6",
    "// Not run by TradingView where this was made. It holds a webhook token: keep the script private.",
    '// Create one alert on it with the condition "Any alert() function call" and the agent\'s webhook address.',
    ...differs.map((each) => `// ${each}`),
    ...leftOut.map(({ name, reason }) => `// Left out: ${name}. ${reason}`),
    ...(ofPlan.lines.length === 0
      ? []
      : [PLAN_NOTE, ...ofPlan.lines.map((line) => `//   ${line}`)]),
    `indicator(${pineText(title)}, overlay = true)`,
    `if timeframe.in_seconds() != ${intervalMinutes * 60}`,
    `    runtime.error("Open this on a chart of ${interval} bars.")`,
    ...(helpers.length === 0 ? [] : ["", ...helpers]),
    "",
    ...computed,
    ...decided.flatMap(({ comment, rules, sends }) => ["", comment, ...rules, ...sends]),
    "",
    `plotshape(${said.map((_, index) => `fires${index + 1}`).join(" or ")}, "Alert", shape.triangleup, location.belowbar)`,
  ];
  return { text: `${lines.join("\n")}\n`, leftOut, differs };
}

const operandsIn = (condition: AlertCondition) => comparisonsOf(condition).flatMap(operandsOf);

/** Returns the definition lines of every indicator named, each once. */
function definitions(conditions: readonly AlertCondition[]): readonly string[] {
  const byId = new Map(
    conditions
      .flatMap(operandsIn)
      .flatMap((operand) =>
        operand.kind === "indicator" && operand.on === undefined ? [operand] : [],
      )
      .map((operand) => [pineId(operand), pineDefinition(operand)]),
  );
  return [...byId.values()].flat();
}

interface AlertLines {
  readonly comment: string;
  readonly rules: readonly string[];
  readonly sends: readonly string[];
}

function alertLines(
  { name, condition, message }: PineAlert,
  number: number,
  intervalMinutes: number,
): AlertLines {
  const parts = conditionExpressions(condition, intervalMinutes);
  const names = parts.map((_, index) => `fires${number}_${index + 1}`);
  const text = message.split(TIME_PLACEHOLDER).map(pineText).join(" + now + ");
  return {
    comment: `// ${name}: ${conditionText(condition)}`,
    rules: [
      ...parts.map((part, index) => `${names[index]} = ${part}`),
      `fires${number} = ${[...guardsOf(condition), ...names].join(" and ")}`,
    ],
    sends: [`if fires${number}`, `    alert(${text}, alert.freq_once_per_bar_close)`],
  };
}

const guardsOf = ({ kind }: AlertCondition): readonly string[] =>
  kind === "comparisons" ? ["isWarm", "follows"] : ["isWarm"];

const pineText = (text: string): string =>
  `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;

/** A plan as calls of a chart's own strategy, and its parts that these cannot say. */
interface PinePlan {
  readonly lines: readonly string[];
  readonly leftOut: readonly { readonly name: string; readonly reason: string }[];
}

const percentOf = (at: Distance | undefined): number | null =>
  at?.kind === "percent" ? at.bps / 100 : null;

function targetPercent(at: TargetDistance, stop: number | null): number | null {
  if (at.kind === "percent") return at.bps / 100;
  return stop === null ? null : (stop * at.timesHundredths) / 100;
}

/**
 * Returns the calls of `strategy.exit` for a plan. They are comments: the script sends alerts and places no order, and
 * the agent carries out its plan itself.
 */
export function pinePlan({ stop, targets = [], ...rest }: Plan, leverage = 1): PinePlan {
  const away = percentOf(stop?.at);
  const trailBy = percentOf(stop?.trail?.by);
  const levels = [
    ...(away === null ? [] : [`stop = away(${-away})`]),
    ...(stop?.trail === undefined || trailBy === null
      ? []
      : [`trail_price = away(${stop.trail.afterBps / 100})`, `trail_offset = ticks(${trailBy})`]),
  ];
  const exits = targets.flatMap(({ at, closePercent }, index) => {
    const profit = targetPercent(at, away);
    if (profit === null) return [];
    return [exitOf(`Target ${index + 1}`, closePercent, [`limit = away(${profit})`, ...levels])];
  });
  const left = 100 - targets.reduce((sum, { closePercent }) => sum + closePercent, 0);
  if (left > 0 && levels.length > 0) exits.push(exitOf("Stop", left, levels));
  return { lines: exits.length === 0 ? [] : [...HEAD, ...exits], leftOut: leftOutOf() };

  function leftOutOf() {
    const atr = [stop?.at, stop?.trail?.by].some((at) => at?.kind === "atr");
    const said: readonly (readonly [boolean, string, string])[] = [
      [atr, "ATR", "strategy.exit knows no multiple of the ATR at the entry."],
      [
        stop?.trail !== undefined,
        "steps of the trailing stop",
        "strategy.exit moves it each tick.",
      ],
      [stop?.breakEvenAfterBps !== undefined, "break-even", "strategy.exit moves no stop there."],
      [rest.adds !== undefined, "adding", "strategy.exit only closes."],
      [rest.holdBars !== undefined, "time", "strategy.exit counts no bars."],
      [rest.maxPositionPercent !== undefined, "largest position", "strategy.exit only closes."],
      [
        leverage > 1,
        `leverage ${leverage}`,
        `an order's size is default_qty_value, and margin_long = margin_short = ${Math.floor(100 / leverage)}; the exchange's liquidation is not in it.`,
      ],
    ];
    return said.flatMap(([is, part, reason]) => (is ? [{ name: `Plan: ${part}`, reason }] : []));
  }
}

const HEAD = [
  "side = math.sign(strategy.position_size)",
  "away(percent) => strategy.position_avg_price * (1 + side * percent / 100)",
  "ticks(percent) => math.round(strategy.position_avg_price * percent / 100 / syminfo.mintick)",
];

const exitOf = (name: string, part: number, levels: readonly string[]): string =>
  `strategy.exit("${name}", qty_percent = ${part}, ${levels.join(", ")})`;
