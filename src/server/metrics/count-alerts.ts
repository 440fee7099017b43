import { Counter, type Registry } from "prom-client";
import type { Delivery, DeliveryResult } from "../trading/intake/delivery.ts";
import { METRIC_PREFIX } from "./gauges.ts";

type Receive = (delivery: Delivery) => Promise<DeliveryResult>;

const OUTCOMES: readonly (DeliveryResult["kind"] | "failed")[] = [
  "accepted",
  "duplicate",
  "ignored",
  "refused",
  "missed",
  "outdated",
  "unknown",
  "failed",
];

/** Returns the receiver with a counter of alerts by result; `failed` when the alert could not be stored. */
export function countAlerts(registry: Registry, receive: Receive): Receive {
  const alerts = new Counter({
    name: `${METRIC_PREFIX}alerts_total`,
    help: "Alerts received by this process with a valid token, by outcome.",
    labelNames: ["outcome"],
    registers: [registry],
  });
  // A rule on an increase sees none from nothing to one
  for (const outcome of OUTCOMES) alerts.inc({ outcome }, 0);
  return async (delivery) => {
    try {
      const result = await receive(delivery);
      alerts.inc({ outcome: result.kind });
      return result;
    } catch (error) {
      alerts.inc({ outcome: "failed" });
      throw error;
    }
  };
}
