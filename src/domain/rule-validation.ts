import { type Invalid, MAX_REQUIRED_COUNT, type ValidRule, invalid } from "./agent-draft.ts";
import { type Signal, isCloseSignal, isResetSignal } from "./signal.ts";
import { refuseShorts, type VenueProfile } from "./venue-profile.ts";

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
