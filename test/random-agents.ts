import fc from "fast-check";
import { SIGNALS } from "../src/domain/signal.ts";
import type { SimulatedAgent } from "../src/strategy/simulation.ts";
import { scaleFreeCondition } from "./random-conditions.ts";
import { buildSimulatedAgent } from "./simulated.ts";

export const INTERVAL_MINUTES = 60;

/** Random agents with one to three alerts, whose rules need one or more of them up to three times each. */
export const agentDraft = fc.record({
  conditions: fc.array(scaleFreeCondition, { minLength: 1, maxLength: 3 }),
  rules: fc.array(
    fc.record({
      action: fc.constantFrom(...SIGNALS),
      alerts: fc.uniqueArray(fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 3 })), {
        minLength: 1,
        selector: ([alert]) => alert,
      }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
});

type AgentDraft = typeof agentDraft extends fc.Arbitrary<infer Value> ? Value : never;

/** Returns the name of the alert with this index; indexes beyond the last wrap around. */
const keyOf = (index: number, { conditions }: AgentDraft) => `alert ${index % conditions.length}`;

/** Returns the agent in the simulator's form. */
export function simulatedAgentOf(draft: AgentDraft): SimulatedAgent {
  return buildSimulatedAgent({
    intervalMinutes: INTERVAL_MINUTES,
    alerts: draft.conditions.map((condition, index) => ({
      alertKey: keyOf(index, draft),
      name: keyOf(index, draft),
      condition,
    })),
    rules: draft.rules.map(({ action, alerts }, at) => {
      const needs = new Map(alerts.map(([alert, count]) => [keyOf(alert, draft), count]));
      return {
        ruleId: `rule ${at}`,
        action,
        conditions: [...needs].map(([alertKey, requiredCount]) => ({ alertKey, requiredCount })),
      };
    }),
  });
}
