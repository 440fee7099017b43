import type { RuleState } from "../src/domain/rule-engine.ts";

/** A second, simpler implementation of the rules: counters in a map, each phase written out. */
export class RuleModel {
  readonly counters = new Map<string, number>();
  readonly #rules: readonly RuleState[];

  constructor(ruleSet: readonly RuleState[]) {
    this.#rules = ruleSet;
    for (const rule of ruleSet) this.#clear(rule);
  }

  /** A late alert counts for what closes alone. */
  receive(name: string, isForClosings = false): string[] {
    for (const rule of this.#rules) {
      if (isForClosings && !rule.action.startsWith("CLOSE_")) continue;
      for (const { alertKey, requiredCount } of rule.conditions) {
        const key = `${rule.ruleId} ${alertKey}`;
        if (alertKey === name) {
          this.counters.set(key, Math.min(requiredCount, (this.counters.get(key) ?? 0) + 1));
        }
      }
    }
    const fired: string[] = [];
    for (const kind of ["CLOSE", "RESET", "OPEN"]) {
      for (const rule of this.#rules.filter((each) => each.action.startsWith(`${kind}_`))) {
        const isMet = rule.conditions.every(
          ({ alertKey, requiredCount }) =>
            this.counters.get(`${rule.ruleId} ${alertKey}`) === requiredCount,
        );
        if (!isMet) continue;
        this.#clear(rule);
        const other = rule.action === "OPEN_LONG" ? "OPEN_SHORT" : "OPEN_LONG";
        const isDenied = kind === "OPEN" && fired.includes(other);
        fired.push(isDenied ? `${rule.action} denied` : rule.action);
        if (kind === "RESET") {
          const target = rule.action.slice("RESET_".length);
          for (const each of this.#rules) if (each.action === target) this.#clear(each);
        }
      }
    }
    return fired;
  }

  #clear(rule: RuleState): void {
    for (const { alertKey } of rule.conditions) {
      this.counters.set(`${rule.ruleId} ${alertKey}`, 0);
    }
  }
}
