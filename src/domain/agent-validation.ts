import {
  type AgentFields,
  type CompleteDraft,
  type DroppedParts,
  type Invalid,
  type RuleDraft,
  type ValidAlert,
  type ValidRule,
  invalid,
  type AgentFieldsDraft,
  type ValidationReason,
  MAX_REQUIRED_COUNT,
} from "./agent-draft.ts";
import { alertNameKey, isAlertNameUsable } from "./name-key.ts";
import { checkCondition } from "./condition/check-condition.ts";
import { evaluationFault } from "./condition/evaluation-bound.ts";
import { type Signal, isCloseSignal, isResetSignal } from "./signal.ts";
import { type VenueProfiles, refuseShorts, type VenueProfile } from "./venue-profile.ts";
import { agentNameKey, parseAgentName } from "./agent-name.ts";
import { isIntervalInRange, parseInterval } from "./interval.ts";
import { parseSlippagePercent } from "./slippage.ts";

/** A draft that can be saved. */
export interface ValidDraft {
  readonly agent: AgentFields;
  readonly alerts: readonly ValidAlert[];
  readonly rules: readonly ValidRule[];
}

export type DraftValidation =
  | { readonly ok: true; readonly value: ValidDraft; readonly dropped: DroppedParts }
  | Invalid;

/**
 * Validates a whole agent in the order of the ten validations and returns the first fault.
 *
 * Alerts without a name and rules without conditions are left out and reported in `dropped`. Authentication, the first
 * of the ten validations, is done by the caller.
 */
export function validateAgentDraft(draft: CompleteDraft, profiles: VenueProfiles): DraftValidation {
  const alerts = draft.alerts.map(validAlert).filter((alert) => alert.name !== "");
  if (alerts.length === 0) return invalid("alerts_missing", "alerts");
  const kept = draft.rules
    .map((rule, index) => ({ index, rule, conditions: namedConditions(rule) }))
    .filter((each) => each.conditions.length > 0);
  const rules: ValidRule[] = [];
  for (const { index, rule, conditions } of kept) {
    if (rule.action === "") return invalid("rule_action_missing", `rules.${index}.action`);
    rules.push(validRule(rule, rule.action, conditions));
  }
  const incomplete = findIncompleteField(draft.agent);
  if (incomplete !== null) return incomplete;
  const duplicate = alerts.findIndex((alert, index) =>
    alerts.slice(0, index).some((earlier) => earlier.nameKey === alert.nameKey),
  );
  if (duplicate >= 0) return invalid("alert_name_duplicate", `alerts.${duplicate}.name`);
  const conflict = findRuleConflict(rules);
  if (conflict !== null) return conflict;
  const unusable = alerts.findIndex((alert) => !isAlertNameUsable(alert.name));
  if (unusable >= 0) return invalid("alert_name_invalid", `alerts.${unusable}.name`);
  const agent = validateAgentFields(draft.agent, profiles);
  const minutes = agent.ok ? agent.value.interval.minutes : null;
  const assets = Object.values(profiles).flatMap(({ markets }) =>
    markets.map((each) => each.asset),
  );
  const senseless = findConditionFault(alerts, minutes, new Set(assets));
  if (senseless !== null) return senseless;
  if (!agent.ok) return agent;
  const keys = new Set(alerts.map((alert) => alert.nameKey));
  const fault = findRuleFault(rules, keys, profiles[agent.value.venue]);
  if (fault !== null) return fault;
  return {
    ok: true,
    value: { agent: agent.value, alerts, rules },
    dropped: {
      alerts: draft.alerts.length - alerts.length,
      rules: draft.rules.flatMap((rule, index) =>
        kept.some((each) => each.index === index)
          ? []
          : [{ index, reason: rule.action === "" ? "no_action" : "no_conditions" }],
      ),
    },
  };
}

function validAlert(draft: CompleteDraft["alerts"][number]): ValidAlert {
  const name = draft.name.trim();
  const { id, description, condition } = draft;
  return { id, name, nameKey: alertNameKey(name), description, condition };
}

/** Without the interval, what depends on it is not checked. */
function findConditionFault(
  alerts: readonly ValidAlert[],
  intervalMinutes: number | null,
  assets: ReadonlySet<string>,
): Invalid | null {
  for (const [index, { condition }] of alerts.entries()) {
    const fault = condition ? checkCondition(condition, intervalMinutes, assets) : null;
    if (fault === null) continue;
    const { reason, field } = fault;
    return {
      ...invalid("condition_invalid", `alerts.${index}.condition.${field}`),
      message: reason,
    };
  }
  if (intervalMinutes === null) return null;
  const conditions = alerts.flatMap(({ condition }) => condition ?? []);
  const costly = evaluationFault(conditions, intervalMinutes);
  return costly === null ? null : { ...invalid("condition_invalid", "alerts"), message: costly };
}

const namedConditions = (rule: RuleDraft) =>
  rule.conditions.filter((condition) => condition.alertName.trim() !== "");

/** Returns the rule with its alert names trimmed and every count filled in; a missing count is 1. */
export function validRule(
  rule: Pick<RuleDraft, "id" | "portion">,
  action: Signal,
  conditions: RuleDraft["conditions"],
): ValidRule {
  return {
    id: rule.id,
    conditions: conditions.map((condition) => ({
      alertName: condition.alertName.trim(),
      alertNameKey: alertNameKey(condition.alertName),
      requiredCount: condition.requiredCount ?? 1,
    })),
    action,
    portion: rule.portion ?? 100,
  };
}

const intervalTextOf = (draft: AgentFieldsDraft): string =>
  (draft.interval ?? parseAgentName(draft.name)?.interval ?? "").trim();

/** Returns the first field that is missing or malformed, validations 4 to 7. Null when all are filled in. */
function findIncompleteField(draft: AgentFieldsDraft): Invalid | null {
  if (draft.marketId.trim() === "") return invalid("agent_incomplete", "agent.marketId");
  if (draft.name.trim() === "") return invalid("agent_incomplete", "agent.name");
  if (draft.venue === "") return invalid("venue_missing", "agent.venue");
  const text = intervalTextOf(draft);
  if (text === "") return invalid("interval_missing", "agent.interval");
  const interval = parseInterval(text);
  if (interval === null || !isIntervalInRange(interval)) {
    return invalid("interval_out_of_range", "agent.interval");
  }
  return null;
}

/** Checks an agent's own fields: validations 4 to 7, then that the venue trades the market, then the slippage. */
export function validateAgentFields(
  draft: AgentFieldsDraft,
  profiles: VenueProfiles,
): { readonly ok: true; readonly value: AgentFields } | Invalid {
  const incomplete = findIncompleteField(draft);
  if (incomplete !== null) return incomplete;
  const refuse = (reason: ValidationReason, field: string) => invalid(reason, `agent.${field}`);
  const intervalText = intervalTextOf(draft);
  const interval = parseInterval(intervalText);
  if (interval === null) return refuse("interval_out_of_range", "interval");
  if (draft.venue === "") return refuse("venue_missing", "venue");
  const marketId = draft.marketId.trim();
  const market = profiles[draft.venue].markets.find((each) => each.marketId === marketId);
  if (market === undefined) return refuse("market_unknown", "marketId");
  const slippageBps =
    draft.slippagePercent === undefined
      ? undefined
      : parseSlippagePercent(String(draft.slippagePercent));
  if (slippageBps === null) return refuse("slippage_out_of_range", "slippagePercent");
  const name = draft.name.trim();
  return {
    ok: true,
    value: {
      name,
      nameKey: agentNameKey(name),
      market,
      venue: draft.venue,
      intervalText,
      interval,
      slippageBps,
    },
  };
}

const SHORT_ACTIONS: readonly Signal[] = [
  "OPEN_SHORT",
  "CLOSE_SHORT",
  "RESET_OPEN_SHORT",
  "RESET_CLOSE_SHORT",
];

/** Canonical text of a rule's conditions, independent of their order. */
const conditionsKey = (rule: ValidRule): string =>
  JSON.stringify(
    rule.conditions.map((each) => `${each.alertNameKey}\n${each.requiredCount}`).toSorted(),
  );

const repeatedAction = (rules: readonly ValidRule[], actions: readonly Signal[]) =>
  rules.findIndex(
    (rule, index) =>
      actions.includes(rule.action) &&
      rules.slice(0, index).some((earlier) => earlier.action === rule.action),
  );

/** Returns the conflict among an agent's rules, validations 9 and 10. Null when there is none. */
export function findRuleConflict(rules: readonly ValidRule[]): Invalid | null {
  const repeated = repeatedAction(rules, ["RESET_OPEN_LONG", "RESET_OPEN_SHORT"]);
  if (repeated >= 0) return invalid("rule_conflict", `rules.${repeated}.action`);
  const longs = new Set(
    rules.filter((rule) => rule.action === "OPEN_LONG").map((rule) => conditionsKey(rule)),
  );
  const opposed = rules.findIndex(
    (rule) => rule.action === "OPEN_SHORT" && longs.has(conditionsKey(rule)),
  );
  return opposed >= 0 ? invalid("rule_sides_conflict", `rules.${opposed}.action`) : null;
}

/**
 * Returns the first fault of an agent's complete set of rules beyond the ten validations. Null when there is none.
 *
 * A rule may only name alerts the agent has, each once; every kind of reset may exist once; a venue without shorts
 * takes no short actions. Indexes in `field` count the rules given.
 */
export function findRuleFault(
  rules: readonly ValidRule[],
  alertKeys: ReadonlySet<string>,
  venue: VenueProfile,
): Invalid | null {
  const noShorts = refuseShorts(venue);
  for (const [index, rule] of rules.entries()) {
    const named = new Set<string>();
    for (const [position, condition] of rule.conditions.entries()) {
      const field = `rules.${index}.conditions.${position}`;
      const { alertNameKey: key, requiredCount } = condition;
      if (!alertKeys.has(key)) return invalid("alert_unknown", `${field}.alertName`);
      if (named.has(key)) return invalid("validation_failed", `${field}.alertName`);
      named.add(key);
      if (
        !Number.isInteger(requiredCount) ||
        requiredCount < 1 ||
        requiredCount > MAX_REQUIRED_COUNT
      ) {
        return invalid("validation_failed", `${field}.requiredCount`);
      }
    }
    const { portion } = rule;
    const isPart = isCloseSignal(rule.action) && Number.isInteger(portion) && portion >= 1;
    if (portion !== 100 && !(isPart && portion < 100)) {
      return invalid("validation_failed", `rules.${index}.portion`);
    }
    if (noShorts !== null && SHORT_ACTIONS.includes(rule.action)) {
      return { ...invalid("short_needs_perpetuals", `rules.${index}.action`), message: noShorts };
    }
  }
  const repeated = rules.findIndex(
    (rule, index) =>
      isResetSignal(rule.action) && repeatedAction(rules.slice(0, index + 1), [rule.action]) >= 0,
  );
  return repeated >= 0 ? invalid("rule_conflict", `rules.${repeated}.action`) : null;
}
