import type { AgentId } from "../../src/domain/ids.ts";
import type { RuleState } from "../../src/domain/rule-engine.ts";
import { RuleModel } from "../rule-model.ts";
import type { Rows } from "./facts.ts";

/** Expected effect of an agent's stored alerts, by the simpler model of the rule engine. */
export class AgentModel {
  readonly #agentId: AgentId;
  readonly #rules: readonly RuleState[];
  /** Signals every accepted event must have led to. */
  readonly #signals = new Map<string, readonly string[]>();
  #model: RuleModel;
  #seen = 0;
  #autoTrade = "on";

  constructor(agentId: AgentId, rules: readonly RuleState[]) {
    this.#agentId = agentId;
    this.#rules = rules;
    this.#model = new RuleModel(rules);
  }

  /** Takes in the events of one step. Turning an agent on resets its counters; no step does both. */
  follow({ agents, events }: Rows): void {
    const autoTrade = agents.find(({ id }) => id === this.#agentId)?.autoTrade ?? "off";
    if (this.#autoTrade === "off" && autoTrade === "on") this.#model = new RuleModel(this.#rules);
    this.#autoTrade = autoTrade;
    const own = events.filter(({ agent }) => agent === this.#agentId);
    for (const { id, name, outcome } of own.slice(this.#seen)) {
      if (outcome === "accepted") this.#signals.set(id, this.#model.receive(name));
    }
    this.#seen = own.length;
  }

  wrongCounters({ counters }: Rows): string | null {
    const own = new Set(this.#rules.map(({ ruleId }) => ruleId));
    const wrong = counters.find(
      ({ rule, alert, count }) =>
        own.has(rule) && count !== this.#model.counters.get(`${rule} ${alert}`),
    );
    if (wrong === undefined) return null;
    const expected = this.#model.counters.get(`${wrong.rule} ${wrong.alert}`);
    return `rule ${wrong.rule} counts ${wrong.count} of ${wrong.alert}, the model ${expected}`;
  }

  /** Every event has exactly the orders of its rules; the opening half of a reversal is a second one. */
  wrongOrders({ orders }: Rows): string | null {
    const found = new Map<string, string[]>();
    for (const { agent, event, signal, leg, reason } of orders) {
      if (agent !== this.#agentId || event === null || leg !== 0) continue;
      const signals = found.get(event) ?? [];
      signals.push(reason === "both_sides" ? `${signal} denied` : signal);
      found.set(event, signals);
    }
    for (const [event, signals] of this.#signals) {
      const expected = signals.filter((each) => !each.startsWith("RESET_")).toSorted();
      const planned = (found.get(event) ?? []).toSorted();
      found.delete(event);
      if (expected.join() !== planned.join()) {
        return `event ${event} has the orders "${planned.join()}", the model "${expected.join()}"`;
      }
    }
    const [stray] = found.keys();
    return stray === undefined ? null : `event ${stray} has orders and was not accepted`;
  }
}
