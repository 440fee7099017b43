import { describe, expect, it } from "vitest";
import { effectsOf } from "./alert-effect.ts";
import { evaluateAlert, type RuleState } from "./rule-engine.ts";
import type { Signal } from "./signal.ts";

/** Builds a rule from conditions like `dip 1/2`. */
const rule = (ruleId: string, action: Signal, ...conditions: string[]): RuleState => ({
  ruleId,
  action,
  conditions: conditions.map((text) => {
    const [alertKey = "", counts = ""] = text.split(" ");
    const [count, requiredCount] = counts.split("/").map(Number);
    return { alertKey, count: count ?? 0, requiredCount: requiredCount ?? 1 };
  }),
});

/** Returns the alert's effects as `rule kind alert count/required`. */
const told = (rules: readonly RuleState[], alertKey: string) =>
  effectsOf(rules, evaluateAlert(rules, alertKey), alertKey).rules.map(
    ({ ruleId, kind, conditions }) =>
      [
        ruleId,
        kind,
        ...conditions.map((each) => `${each.alertKey} ${each.count}/${each.requiredCount}`),
      ].join(" "),
  );

describe("what an alert did to the rules", () => {
  it.each<[string, RuleState[], string[]]>([
    ["counts", [rule("a", "OPEN_LONG", "dip 0/2", "up 0/1")], ["a counted dip 1/2 up 0/1"]],
    ["completes", [rule("a", "OPEN_LONG", "dip 1/2", "up 1/1")], ["a fired dip 2/2 up 1/1"]],
    ["completes at once", [rule("a", "OPEN_LONG", "dip 0/1")], ["a fired dip 1/1"]],
    ["finds enough", [rule("a", "OPEN_LONG", "dip 2/2", "up 0/1")], ["a full dip 2/2 up 0/1"]],
    ["is not named", [rule("a", "OPEN_LONG", "up 0/1")], []],
    [
      "sets back",
      [rule("a", "OPEN_LONG", "up 1/2"), rule("b", "RESET_OPEN_LONG", "dip 0/1")],
      ["a reset up 1/2", "b fired dip 1/1"],
    ],
    [
      "sets back what it would have completed",
      [rule("a", "OPEN_LONG", "dip 0/2"), rule("b", "RESET_OPEN_LONG", "dip 0/1")],
      ["a reset dip 0/2", "b fired dip 1/1"],
    ],
    [
      "touches nothing at zero",
      [rule("a", "OPEN_LONG", "up 0/2"), rule("b", "RESET_OPEN_LONG", "dip 0/1")],
      ["b fired dip 1/1"],
    ],
  ])("%s", (_name, rules, effects) => {
    expect(told(rules, "dip")).toEqual(effects);
  });
});
