import { nameKey } from "../../../../domain/name-key.ts";
import type { AgentForm, RuleRow } from "../agent-form.ts";
import type { Rule } from "../../../../contract/rules.ts";

/** Returns the form's rules with the server's latest counts, for alerts that were not renamed. */
export function withLiveCounts(form: AgentForm, saved: readonly Rule[]): readonly RuleRow[] {
  const names = new Map(form.alerts.map((alert) => [alert.key, nameKey(alert.name)]));
  return form.rules.map((rule) => {
    const conditions = saved.find((each) => each.id === rule.id)?.conditions ?? [];
    return {
      ...rule,
      triggers: rule.triggers.map((trigger) => {
        const live = conditions.find(
          (condition) => nameKey(condition.alertName) === names.get(trigger.alertKey),
        );
        return live === undefined ? trigger : { ...trigger, count: live.count };
      }),
    };
  });
}
