import type { AlertCondition } from "../../domain/condition/condition.ts";
import { conditionText, operandText } from "../../domain/condition/condition-text.ts";
import { conditionExpressions, pineDefinition, pineId } from "./pine-conditions.ts";
import { helpersFor } from "./pine-functions.ts";
import { comparisonsOf, longestWarmUp, operandsOf } from "../warm-up.ts";

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
  /** Alerts that the script leaves out, with the reason. */
  readonly leftOut: readonly { readonly name: string; readonly reason: string }[];
  /** Differences that can make the script fire at other times than the agent's own conditions, a sentence each. */
  readonly differs: readonly string[];
}

const DIFFERENCES = [
  "It computes on the bars of the chart it is on: their prices and volumes are not those of the agent's source.",
  "Comparisons do not fire on the first bar after a gap, here and on the agent alike; a bar may be missing in one place only.",
  "It does not fire on the chart's first bars, as many as the agent warms its indicators up on.",
];

interface PineInput {
  readonly title: string;
  /** The interval as users write it, for instance 1h. */
  readonly interval: string;
  readonly intervalMinutes: number;
  readonly alerts: readonly PineAlert[];
}

/** Returns a Pine Script v6 indicator that evaluates the conditions and sends the agent's own messages. */
export function pineScript({ title, interval, intervalMinutes, alerts }: PineInput): PineScript {
  const leftOut = alerts.flatMap(({ name, condition }) => {
    const unknown = operandsIn(condition).find(({ kind }) => kind === "position");
    return unknown === undefined
      ? []
      : [{ name, reason: `${operandText(unknown)} is known to the agent, not to a chart.` }];
  });
  const said = alerts.filter(({ name }) => !leftOut.some((each) => each.name === name));
  if (said.length === 0) return { text: "", leftOut, differs: [] };
  const conditions = said.map(({ condition }) => condition);
  const computed = [
    ...definitions(conditions),
    `isWarm = bar_index >= ${longestWarmUp(conditions, intervalMinutes)}`,
    `now = str.format_time(timenow, "yyyy-MM-dd'T'HH:mm:ss'Z'", "UTC")`,
  ];
  const decided = said.map((alert, index) => alertLines(alert, index + 1, intervalMinutes));
  const helpers = helpersFor([...computed, ...decided.flatMap(({ rules }) => rules)]);
  const lines = [
    "//@version=6",
    "// Not run by TradingView where this was made. It holds a webhook token: keep the script private.",
    '// Create one alert on it with the condition "Any alert() function call" and the agent\'s webhook address.',
    ...DIFFERENCES.map((each) => `// ${each}`),
    ...leftOut.map(({ name, reason }) => `// Left out: ${name}. ${reason}`),
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
  return { text: `${lines.join("\n")}\n`, leftOut, differs: DIFFERENCES };
}

const operandsIn = (condition: AlertCondition) => comparisonsOf(condition).flatMap(operandsOf);

/** Returns the definition lines of every indicator named, each once. */
function definitions(conditions: readonly AlertCondition[]): readonly string[] {
  const byId = new Map(
    conditions
      .flatMap(operandsIn)
      .flatMap((operand) => (operand.kind === "indicator" ? [operand] : []))
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
