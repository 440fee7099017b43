import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type RuleState, evaluateAlert } from "./rule-engine.ts";
import { SIGNALS, type Signal } from "./signal.ts";
import { RuleModel } from "../../test/rule-model.ts";

const runs = { numRuns: 1_000 };

function buildRule(ruleId: string, action: Signal, needs: Record<string, number>): RuleState {
  return {
    ruleId,
    action,
    conditions: Object.entries(needs).map(([alertKey, requiredCount]) => ({
      alertKey,
      requiredCount,
      count: 0,
    })),
  };
}

/** Counts alerts one after the other and returns the fired signals of each, and the remaining counters. */
function play(rules: readonly RuleState[], alerts: readonly string[]) {
  let state = rules;
  const fired = alerts.map((alert) => {
    const evaluation = evaluateAlert(state, alert);
    state = evaluation.rules;
    return evaluation.signals.map((each) => (each.denied ? `${each.signal} denied` : each.signal));
  });
  return { fired, state };
}

const countsOf = (rules: readonly RuleState[]) =>
  Object.fromEntries(
    rules.map((rule) => [rule.ruleId, rule.conditions.map((condition) => condition.count)]),
  );

const ALERTS = ["a", "b", "c", "d"];
const alert = fc.constantFrom(...ALERTS);
const alerts = fc.array(alert, { maxLength: 40 });
const rules = fc
  .array(
    fc.record({
      action: fc.constantFrom(...SIGNALS),
      needs: fc.uniqueArray(fc.tuple(alert, fc.integer({ min: 1, max: 4 })), {
        minLength: 1,
        maxLength: 3,
        selector: ([name]) => name,
      }),
    }),
    { maxLength: 6 },
  )
  .map((drafts) =>
    drafts.map(({ action, needs }, index) =>
      buildRule(`r${index}`, action, Object.fromEntries(needs)),
    ),
  );

describe("evaluateAlert", () => {
  it("counts only the received alert and fires when all conditions are met", () => {
    const rule = buildRule("r", "OPEN_LONG", { a: 2, b: 1 });
    const { fired, state } = play([rule], ["a", "a", "a", "b", "b"]);
    expect(fired).toEqual([[], [], [], ["OPEN_LONG"], []]);
    expect(countsOf(state)).toEqual({ r: [0, 1] });
  });

  it("never counts beyond what a condition needs", () => {
    const { state } = play([buildRule("r", "OPEN_LONG", { a: 2, b: 1 })], ["a", "a", "a", "a"]);
    expect(countsOf(state)).toEqual({ r: [2, 0] });
  });

  it("orders closings before resets and resets before openings, whatever their age", () => {
    const set = [
      buildRule("open", "OPEN_SHORT", { a: 1 }),
      buildRule("reset", "RESET_CLOSE_LONG", { a: 1 }),
      buildRule("close", "CLOSE_LONG", { a: 1 }),
    ];
    expect(play(set, ["a"]).fired).toEqual([["CLOSE_LONG", "RESET_CLOSE_LONG", "OPEN_SHORT"]]);
  });

  it("lets a reset cancel an opening that the same alert would complete", () => {
    const set = [
      buildRule("open", "OPEN_LONG", { a: 1, b: 1 }),
      buildRule("reset", "RESET_OPEN_LONG", { a: 1 }),
    ];
    const { fired, state } = play(set, ["b", "a"]);
    expect(fired).toEqual([[], ["RESET_OPEN_LONG"]]);
    expect(countsOf(state)).toEqual({ open: [0, 0], reset: [0] });
  });

  it("denies the second side that one alert would open", () => {
    const set = [
      buildRule("short", "OPEN_SHORT", { a: 1 }),
      buildRule("long", "OPEN_LONG", { a: 1 }),
      buildRule("another", "OPEN_SHORT", { a: 1 }),
    ];
    const { fired, state } = play(set, ["a"]);
    expect(fired).toEqual([["OPEN_SHORT", "OPEN_LONG denied", "OPEN_SHORT"]]);
    expect(countsOf(state)).toEqual({ short: [0], long: [0], another: [0] });
  });

  it("allows several closings at once", () => {
    const set = [
      buildRule("long", "CLOSE_LONG", { a: 1 }),
      buildRule("short", "CLOSE_SHORT", { a: 1 }),
      buildRule("reset", "RESET_OPEN_SHORT", { a: 1 }),
      buildRule("open", "OPEN_LONG", { a: 1 }),
    ];
    expect(play(set, ["a"]).fired).toEqual([
      ["CLOSE_LONG", "CLOSE_SHORT", "RESET_OPEN_SHORT", "OPEN_LONG"],
    ]);
  });

  it("fires no rule without conditions", () => {
    expect(play([buildRule("r", "OPEN_LONG", {})], ["a"]).fired).toEqual([[]]);
  });

  it("fires a rule stored as complete only when one of its own alerts comes", () => {
    const complete: RuleState = {
      ruleId: "r",
      action: "OPEN_LONG",
      conditions: [{ alertKey: "a", requiredCount: 1, count: 1 }],
    };
    expect(play([complete], ["other"]).fired).toEqual([[]]);
    expect(play([complete], ["a"]).fired).toEqual([["OPEN_LONG"]]);
  });

  it("returns unchanged rules unmodified", () => {
    const set = [buildRule("r", "OPEN_LONG", { a: 1 })];
    expect(evaluateAlert(set, "other").rules[0]).toBe(set[0]);
    const full = play([buildRule("r", "OPEN_LONG", { a: 1, b: 1 })], ["a"]).state;
    expect(evaluateAlert(full, "a").rules[0]).toBe(full[0]);
    const reset = [
      buildRule("r", "OPEN_LONG", { b: 1 }),
      buildRule("z", "RESET_OPEN_LONG", { a: 1 }),
    ];
    expect(evaluateAlert(reset, "a").rules[0]).toBe(reset[0]);
  });
});

describe("any rules and alerts", () => {
  it("count and fire like the model", () => {
    fc.assert(
      fc.property(rules, alerts, (ruleSet, names) => {
        const model = new RuleModel(ruleSet);
        let state: readonly RuleState[] = ruleSet;
        for (const name of names) {
          const { rules: next, signals } = evaluateAlert(state, name);
          state = next;
          expect(
            signals.map((each) => (each.denied ? `${each.signal} denied` : each.signal)),
          ).toEqual(model.receive(name));
          const counters = state.flatMap((rule) =>
            rule.conditions.map(
              (condition) => [`${rule.ruleId} ${condition.alertKey}`, condition.count] as const,
            ),
          );
          expect(new Map(counters)).toEqual(model.counters);
        }
      }),
      runs,
    );
  });

  it("keep every counter between zero and its requirement, and no rule complete", () => {
    fc.assert(
      fc.property(rules, alerts, (ruleSet, names) => {
        for (const rule of play(ruleSet, names).state) {
          const { conditions } = rule;
          expect(
            conditions.every(({ count, requiredCount }) => count >= 0 && count <= requiredCount),
          ).toBe(true);
          expect(conditions.every(({ count, requiredCount }) => count === requiredCount)).toBe(
            false,
          );
        }
      }),
      runs,
    );
  });

  it("never open both sides with one alert", () => {
    fc.assert(
      fc.property(rules, alerts, (ruleSet, names) => {
        for (const fired of play(ruleSet, names).fired) {
          expect(fired.includes("OPEN_LONG") && fired.includes("OPEN_SHORT")).toBe(false);
        }
      }),
      runs,
    );
  });

  it("fire a rule at most once per alert, and only after the required alerts", () => {
    fc.assert(
      fc.property(rules, alerts, (ruleSet, names) => {
        let state: readonly RuleState[] = ruleSet;
        const timesFired = new Map<string, number>();
        for (const name of names) {
          const { rules: next, signals } = evaluateAlert(state, name);
          state = next;
          const fired = signals.map((each) => each.ruleId);
          expect(new Set(fired).size).toBe(fired.length);
          for (const id of fired) timesFired.set(id, (timesFired.get(id) ?? 0) + 1);
        }
        for (const rule of ruleSet) {
          for (const { alertKey, requiredCount } of rule.conditions) {
            const received = names.filter((name) => name === alertKey).length;
            const used = (timesFired.get(rule.ruleId) ?? 0) * requiredCount;
            expect(used).toBeLessThanOrEqual(received);
          }
        }
      }),
      runs,
    );
  });

  it("reset only the rule's own side", () => {
    fc.assert(
      fc.property(rules, alerts, (ruleSet, names) => {
        const { state } = play(ruleSet, names);
        const withReset = [...state, buildRule("reset", "RESET_OPEN_LONG", { z: 1 })];
        const after = evaluateAlert(withReset, "z").rules;
        for (const [index, rule] of state.entries()) {
          if (rule.action === "OPEN_LONG") {
            expect(after[index]?.conditions.every((each) => each.count === 0)).toBe(true);
          } else {
            expect(after[index]).toBe(rule);
          }
        }
      }),
      runs,
    );
  });

  it("give the same counters and signals for both orders of two alerts of one rule", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 4 }),
        alerts,
        (needA, needB, before) => {
          const start = play([buildRule("r", "CLOSE_LONG", { a: needA, b: needB })], before).state;
          const one = play(start, ["a", "b"]);
          const other = play(start, ["b", "a"]);
          fc.pre(one.fired[0]?.length === 0 && other.fired[0]?.length === 0);
          expect(countsOf(other.state)).toEqual(countsOf(one.state));
          expect(other.fired.flat()).toEqual(one.fired.flat());
        },
      ),
      runs,
    );
  });
});
