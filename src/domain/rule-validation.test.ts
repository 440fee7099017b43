import { describe, expect, it } from "vitest";
import { VENUE_PROFILES } from "../venues/profiles.ts";
import { MAX_REQUIRED_COUNT, type ValidRule } from "./agent-draft.ts";
import { findRuleConflict, findRuleFault } from "./agent-validation.ts";
import { SIGNALS, type Signal } from "./signal.ts";

const rule = (
  action: Signal,
  needs: Record<string, number> = { up: 1 },
  portion = 100,
): ValidRule => ({
  id: undefined,
  action,
  portion,
  conditions: Object.entries(needs).map(([alertNameKey, requiredCount]) => ({
    alertName: alertNameKey,
    alertNameKey,
    requiredCount,
  })),
});
const conflictOf = (...rules: ValidRule[]) => {
  const found = findRuleConflict(rules);
  return found && `${found.reason} at ${found.field}`;
};
const faultOf = (rules: readonly ValidRule[], venue: keyof typeof VENUE_PROFILES = "drift") => {
  const found = findRuleFault(rules, new Set(["up", "down"]), VENUE_PROFILES[venue]);
  return found && `${found.reason} at ${found.field}`;
};

describe("findRuleConflict", () => {
  it("finds the second reset of the same openings", () => {
    for (const reset of ["RESET_OPEN_LONG", "RESET_OPEN_SHORT"] as const) {
      expect(conflictOf(rule(reset), rule("CLOSE_LONG"), rule(reset))).toBe(
        "rule_conflict at rules.2.action",
      );
    }
    expect(conflictOf(rule("RESET_OPEN_LONG"), rule("RESET_OPEN_SHORT"))).toBeNull();
    expect(conflictOf(rule("CLOSE_LONG"), rule("CLOSE_LONG"))).toBeNull();
  });

  it("finds openings of both sides with the same conditions, in any order", () => {
    const long = rule("OPEN_LONG", { up: 1, down: 2 });
    const short = rule("OPEN_SHORT", { down: 2, up: 1 });
    expect(conflictOf(long, short)).toBe("rule_sides_conflict at rules.1.action");
    expect(conflictOf(short, long)).toBe("rule_sides_conflict at rules.0.action");
    expect(conflictOf(long, rule("OPEN_SHORT", { down: 1, up: 1 }))).toBeNull();
    expect(conflictOf(long, rule("CLOSE_SHORT", { down: 2, up: 1 }))).toBeNull();
  });
});

describe("findRuleFault", () => {
  it("takes a part of 1 to 100 percent, of closing rules only", () => {
    expect(faultOf([rule("CLOSE_LONG", { up: 1 }, 1)])).toBeNull();
    expect(faultOf([rule("CLOSE_SHORT", { up: 1 }, 99)])).toBeNull();
    for (const part of [0, 101, 50.5]) {
      const rules = [rule("OPEN_LONG"), rule("CLOSE_LONG", { up: 1 }, part)];
      expect(faultOf(rules)).toBe("validation_failed at rules.1.portion");
    }
    expect(faultOf([rule("OPEN_LONG", { up: 1 }, 50)])).toBe(
      "validation_failed at rules.0.portion",
    );
  });

  it("finds a second reset of any kind, and no other duplicates", () => {
    for (const signal of SIGNALS) {
      const found = faultOf([rule(signal), rule(signal)]);
      expect([signal, found]).toEqual([
        signal,
        signal.startsWith("RESET") ? "rule_conflict at rules.1.action" : null,
      ]);
    }
    expect(faultOf([rule("RESET_CLOSE_LONG"), rule("RESET_CLOSE_SHORT")])).toBeNull();
  });

  it.each([
    ["no count", 0],
    ["less than one", -1],
    ["a part", 1.5],
    ["no number", Number.NaN],
    ["too many", MAX_REQUIRED_COUNT + 1],
  ])("refuses a condition that needs %s", (_name, count) => {
    const found = faultOf([rule("OPEN_LONG"), rule("CLOSE_LONG", { up: 1, down: count })]);
    expect(found).toBe("validation_failed at rules.1.conditions.1.requiredCount");
  });

  it("accepts counts from one to the maximum", () => {
    expect(faultOf([rule("OPEN_LONG", { up: 1, down: MAX_REQUIRED_COUNT })])).toBeNull();
  });

  it("refuses an unknown alert, and one named twice", () => {
    expect(faultOf([rule("OPEN_LONG", { other: 1 })])).toBe(
      "alert_unknown at rules.0.conditions.0.alertName",
    );
    const { conditions } = rule("OPEN_LONG");
    const twice = { ...rule("OPEN_LONG"), conditions: [...conditions, ...conditions] };
    expect(faultOf([twice])).toBe("validation_failed at rules.0.conditions.1.alertName");
  });

  it("refuses every short action on a spot venue, and says why", () => {
    for (const signal of SIGNALS) {
      expect([signal, faultOf([rule(signal)], "jupiter")]).toEqual([
        signal,
        signal.includes("SHORT") ? "short_needs_perpetuals at rules.0.action" : null,
      ]);
      expect(faultOf([rule(signal)])).toBeNull();
    }
    const found = findRuleFault([rule("OPEN_SHORT")], new Set(["up"]), VENUE_PROFILES.jupiter);
    expect(found?.message).toMatch(/short/i);
  });
});
