import { checkCondition } from "../../../../domain/condition/check-condition.ts";
import { firingText } from "../../../../domain/condition/condition-text.ts";
import { ASSETS, VENUE_PROFILES } from "../../../../venues/profiles.ts";
import { planText } from "../../../../domain/plan/plan-words.ts";
import { planFault } from "./check-form.ts";
import {
  intervalText,
  portionOf,
  type AgentForm,
  type AlertRow,
  type RuleRow,
} from "../agent-form.ts";

/** Line of a diff: removed text, added text, or both. */
export interface FormDifference {
  readonly label: string;
  readonly before: string | null;
  readonly after: string | null;
}

type Row = readonly [label: string, key: string, text: string];

function ruleText(rule: RuleRow, form: AgentForm): string {
  const { action, triggers } = rule;
  const portion = portionOf(rule);
  const names = triggers.map(({ alertKey, requiredCount }) => {
    const name = form.alerts.find(({ key }) => key === alertKey)?.name ?? "";
    return `${name} × ${requiredCount}`;
  });
  const part = portion === undefined ? "" : ` ${portion}%`;
  return `${action || "no action"}${part} when ${names.join(" and ") || "nothing"}`;
}

function alertText({ name, description, condition }: AlertRow): string {
  const called = description === "" ? name : `${name}: ${description}`;
  if (condition === null) return called;
  const isWhole = checkCondition(condition, null, ASSETS) === null;
  return `${called}, fires ${isWhole ? firingText(condition) : "…"}`;
}

const planTextOf = (form: AgentForm): string => {
  if (form.plan === null) return "";
  return planFault(form) === null ? planText(form.plan) : "…";
};

function rowsOf(form: AgentForm): readonly Row[] {
  return [
    ["Venue", "venue", form.venue === "" ? "" : VENUE_PROFILES[form.venue].label],
    ["Asset", "asset", form.marketId],
    ["Interval", "interval", intervalText(form)],
    ["Slippage", "slippage", form.slippage === "" ? "" : `${form.slippage}%`],
    [
      "Position size",
      "size",
      form.positionSizePercent === "" ? "" : `${form.positionSizePercent}%`,
    ],
    ["Alert age", "age", form.maxSignalAge === "" ? "" : `${form.maxSignalAge} s`],
    ["Plan", "plan", planTextOf(form)],
    ["Leverage", "leverage", form.leverage === 1 ? "" : `${form.leverage} times`],
    ...form.alerts
      .filter(({ name }) => name.trim() !== "")
      .map((alert): Row => ["Alert", `alert ${alert.key}`, alertText(alert)]),
    ...form.rules.map((rule): Row => ["Rule", `rule ${rule.key}`, ruleText(rule, form)]),
  ];
}

/** Returns the edits between two forms; a changed name, which `describeChanges` omits, comes first. */
export function describeEdits(before: AgentForm, after: AgentForm): readonly FormDifference[] {
  const name = { label: "Name", before: before.name, after: after.name };
  const changes = describeChanges(before, after);
  return name.before === name.after ? changes : [name, ...changes];
}

/** Returns the differences of two forms in form order: removals in place, then additions. */
export function describeChanges(before: AgentForm, after: AgentForm): readonly FormDifference[] {
  const was = rowsOf(before);
  const is = rowsOf(after);
  const textOf = (rows: readonly Row[], key: string) =>
    rows.find(([, each]) => each === key)?.[2] ?? null;
  const keys = new Map([...was, ...is].map(([label, key]) => [key, label]));
  return [...keys]
    .map(([key, label]) => ({ label, before: textOf(was, key), after: textOf(is, key) }))
    .filter((line) => line.before !== line.after);
}
