import { AppError } from "../../contract/errors.ts";
import type { ValidAlert, ValidRule } from "../../domain/agent-draft.ts";
import { quoteName, alertNameKey } from "../../domain/name-key.ts";
import type { AlertCondition } from "../../domain/condition/condition.ts";
import { conditionKey, firingText } from "../../domain/condition/condition-text.ts";
import type { AgentId } from "../../domain/ids.ts";
import { SIGNALS } from "../../domain/signal.ts";
import { planText } from "../../domain/plan/plan-words.ts";
import { formatSlippagePercent } from "../../domain/slippage.ts";
import type { AgentRecord } from "../store/agents/agents.ts";
import { type AlertRecord, listAlertsOf } from "../store/alerts/alerts.ts";
import { listRulesOf, type RuleRecord } from "../store/alerts/rules.ts";
import type { Db } from "../store/postgres/db.ts";
import { matchAlerts } from "./save-alerts.ts";

/** Longest sentence in a wallet's window; nothing is left out of what is signed. */
const MAX_LENGTH = 4_000;

/** Returns a change in words. Throws where a wallet would show only the beginning of what it signs. */
export function requireFit(change: string): string {
  if (change.length <= MAX_LENGTH) return change;
  const message = `The wallet would have to sign ${change.length} characters, and ${MAX_LENGTH} is the most an owner is asked to read. Change less at a time, or shorten names, rules and conditions.`;
  throw new AppError("validation_failed", { message });
}

/** An alert as a call sends it; an absent condition stays as it is. */
type SentAlert = Pick<ValidAlert, "name"> & {
  readonly condition?: AlertCondition | null | undefined;
};

/** A rule as a call sends it. */
type SentRule = Pick<ValidRule, "action"> & {
  readonly portion?: number | undefined;
  readonly conditions: readonly { readonly alertName: string; readonly requiredCount: number }[];
};

/** The alerts and rules of an agent as stored. */
interface StoredSetUp {
  readonly alerts: readonly AlertRecord[];
  readonly rules: readonly RuleRecord[];
}

export async function readSetUp(db: Db, agentId: AgentId): Promise<StoredSetUp> {
  return { alerts: await listAlertsOf(db, agentId), rules: await listRulesOf(db, agentId) };
}

/** An agent's own fields that it trades by. */
export type Terms = Pick<
  AgentRecord,
  | "marketId"
  | "venue"
  | "network"
  | "interval"
  | "slippageBps"
  | "positionSizePercent"
  | "leverage"
  | "maxSignalAgeSeconds"
  | "plan"
>;

/** Returns everything an agent trades by, for the text that its owner signs to turn it on. */
export function setUpText(agent: Terms, { alerts, rules }: StoredSetUp): string {
  return termsText(
    agent,
    alerts,
    rules.map((rule) => asSent(rule, alerts)),
  );
}

/** Returns the same of an agent as a save would leave it. */
export function draftText(
  agent: Terms,
  before: readonly AlertRecord[],
  after: { readonly alerts: readonly ValidAlert[]; readonly rules: readonly ValidRule[] },
): string {
  const stored = matchAlerts(after.alerts, before);
  const kept = after.alerts.map((alert) => ({
    name: alert.name,
    condition:
      alert.condition === undefined ? (stored.get(alert)?.condition ?? null) : alert.condition,
  }));
  const names = kept.map(({ name }) => quoteName(name)).join(", ");
  return `${termsText(agent, kept, after.rules)} Its ${counted(kept.length, "alert")}: ${names}.`;
}

function termsText(
  agent: Terms,
  alerts: readonly Pick<AlertRecord, "name" | "condition">[],
  rules: readonly SentRule[],
): string {
  const own = alerts.flatMap(({ name, condition }) =>
    condition === null ? [] : [conditionText(name, condition)],
  );
  const what = [
    `${agent.marketId} on ${agent.venue ?? "no venue"} (${agent.network})`,
    `interval ${quoteName(agent.interval)}`,
    `slippage ${formatSlippagePercent(agent.slippageBps)}%`,
    `position size ${agent.positionSizePercent}%`,
    ...(agent.leverage === 1 ? [] : [`leverage ${agent.leverage}`]),
    `alerts up to ${agent.maxSignalAgeSeconds} seconds old`,
  ];
  return [
    `It trades ${what.join(", ")}.`,
    ...(agent.plan === null ? [] : [`Its plan for a position: ${planText(agent.plan)}`]),
    rules.length === 0 ? "It has no rules." : `Its ${rulesText(rules)}.`,
    ...(own.length === 0
      ? []
      : [`It fires by itself, by ${counted(own.length, "alert")}: ${own.join("; ")}.`]),
  ].join(" ");
}

/** Returns what a save changes in an agent's alerts and rules, one text per change. */
export function changedSetUp(
  { alerts, rules }: StoredSetUp,
  after: { readonly alerts: readonly ValidAlert[]; readonly rules: readonly ValidRule[] },
): string[] {
  const matched = matchAlerts(after.alerts, alerts);
  const keyById = new Map([...matched].map(([{ nameKey }, { id }]) => [id, nameKey]));
  return [
    ...changedRules({ alerts, rules }, after.rules, keyById),
    ...changedAlerts(after.alerts.map((alert) => [matched.get(alert), alert])),
    ...alerts.filter(({ id }) => !keyById.has(id)).map(({ name }) => withoutAlert(name)),
  ];
}

/** Returns what calls change in alerts; an alert without a stored one is new. */
export function changedAlerts(
  pairs: readonly (readonly [AlertRecord | undefined, SentAlert])[],
): string[] {
  const fires: string[] = [];
  const others = pairs.flatMap(([before, { name, condition = before?.condition ?? null }]) => {
    const isOther = conditionKey(before?.condition) !== conditionKey(condition);
    if (isOther && condition !== null) fires.push(conditionText(name, condition));
    if (before === undefined)
      return condition === null ? [`with the alert ${quoteName(name)}`] : [];
    return [
      ...(before.name === name
        ? []
        : [`the alert ${quoteName(before.name)} is called ${quoteName(name)}`]),
      ...(isOther && condition === null
        ? [`the alert ${quoteName(name)} no longer fires by itself`]
        : []),
    ];
  });
  return fires.length === 0
    ? others
    : [`by itself it fires, by ${counted(fires.length, "alert")}: ${fires.join("; ")}`, ...others];
}

/** Rules are matched as a save matches them: by id, the others by what they say. */
function changedRules(
  { alerts, rules }: StoredSetUp,
  after: readonly ValidRule[],
  keyById: ReadonlyMap<string, string>,
): string[] {
  const free = new Map(
    rules.map((rule) => [rule.id, { rule, key: ruleKey(storedParts(rule, keyById)) }]),
  );
  const isKept = (draft: ValidRule): boolean => {
    const key = ruleKey(draft);
    const named = draft.id === undefined ? undefined : free.get(draft.id);
    const same = named ?? [...free.values()].find((each) => each.key === key);
    return same?.key === key && free.delete(same.rule.id);
  };
  const named = after.filter(({ id }) => id !== undefined && free.has(id));
  const kept = new Set([...named, ...after.filter((rule) => !named.includes(rule))].filter(isKept));
  return exchangedRules(
    [...free.values()].map(({ rule }) => asSent(rule, alerts)),
    after.filter((rule) => !kept.has(rule)),
  );
}

/** Returns what is new in an agent's rules and what is gone, one text for each. */
export const exchangedRules = (gone: readonly SentRule[], made: readonly SentRule[]): string[] => [
  ...(made.length === 0 ? [] : [`with ${rulesText(made)}`]),
  ...(gone.length === 0 ? [] : [`without ${rulesText(gone)}`]),
];

const storedParts = (
  { action, portion, conditions }: RuleRecord,
  keyById: ReadonlyMap<string, string>,
) => ({
  action,
  portion,
  conditions: conditions.map(({ alertId, requiredCount }) => ({
    alertNameKey: keyById.get(alertId) ?? "",
    requiredCount,
  })),
});

interface RuleParts {
  readonly action: string;
  readonly portion: number;
  readonly conditions: readonly { readonly alertNameKey: string; readonly requiredCount: number }[];
}

const ruleKey = ({ action, portion, conditions }: RuleParts): string => {
  const counts = conditions.map(({ alertNameKey: key, requiredCount }) => [key, requiredCount]);
  return JSON.stringify([action, portion, counts.map((each) => JSON.stringify(each)).toSorted()]);
};

const counted = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? "" : "s"}`;

const actionText = (action: string): string => action.toLowerCase().replaceAll("_", " ");

/** Returns how many rules there are and of which action, and then each: those that open come first. */
function rulesText(rules: readonly SentRule[]): string {
  const ordered = SIGNALS.map((signal) => rules.filter(({ action }) => action === signal));
  const counts = ordered.flatMap((each) =>
    each[0] === undefined ? [] : [`${each.length} to ${actionText(each[0].action)}`],
  );
  return `${counted(rules.length, "rule")} (${counts.join(", ")}): ${ordered.flat().map(ruleText).join("; ")}`;
}

/** Returns "open long after "breakout" 2 times and "volume"". */
function ruleText({ action, portion = 100, conditions }: SentRule): string {
  const counts = conditions.map(
    ({ alertName, requiredCount }) =>
      quoteName(alertName) + (requiredCount === 1 ? "" : ` ${requiredCount} times`),
  );
  const part = portion === 100 ? "" : ` (${portion}% of the position)`;
  return `${actionText(action)}${part} after ${counts.join(" and ")}`;
}

/** Returns a stored rule as a call would send it. */
export function asSent(
  { action, portion, conditions }: RuleRecord,
  alerts: readonly AlertRecord[],
): SentRule {
  const nameOf = (id: string) => alerts.find((alert) => alert.id === id)?.name ?? "";
  return {
    action,
    portion,
    conditions: conditions.map(({ alertId, requiredCount }) => ({
      alertName: nameOf(alertId),
      requiredCount,
    })),
  };
}

/** Names of a list that stands for all there are; a text with every one of them would not be signed. */
const NAMED = 10;

/** Returns how many there are of what is changed as a whole, with the first names. */
export function allOf(names: readonly string[], what: string): string {
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : "";
  const shown = names.slice(0, NAMED).map(quoteName).join(", ");
  return `${counted(names.length, what)}: ${shown}${more}`;
}

export const withoutAlert = (name: string): string =>
  `without the alert ${quoteName(name)} and what counts it alone`;

export const alertNamed = (alerts: readonly AlertRecord[], name: string) =>
  alerts.find(({ nameKey }) => nameKey === alertNameKey(name));

const conditionText = (name: string, condition: AlertCondition): string =>
  `the alert ${quoteName(name.trim())} ${firingText(condition)}`;
