import { Gauge, type Registry } from "prom-client";
import type { ConditionRunner } from "../alert-sources/conditions/condition-runner.ts";

/**
 * Adds gauges for the number of markets and agents whose conditions are evaluated here, and of markets where none can
 * fire.
 */
export function addConditionGauges(registry: Registry, counts: ConditionRunner["counts"]): void {
  const gauge = (name: string, help: string, read: () => number): void => {
    const made: Gauge = new Gauge({
      name,
      help,
      registers: [registry],
      collect: () => made.set(read()),
    });
  };
  gauge("condition_feeds", "Markets and intervals with conditions.", () => counts().feeds);
  gauge("condition_feeds_troubled", "Of these, how many have no usable candles.", () => {
    return counts().troubled;
  });
  gauge("condition_agents", "Trading agents with conditions.", () => counts().agents);
}
