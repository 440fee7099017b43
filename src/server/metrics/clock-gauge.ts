import { Gauge, type Registry } from "prom-client";
import type { ClockDifference } from "../clock/clock-difference.ts";

/** Adds a gauge for the difference between this machine's clock and the database's. */
export function addClockGauge(registry: Registry, difference: ClockDifference): void {
  new Gauge({
    name: "clock_difference_seconds",
    help: "This machine's clock minus the database's, by which everything goes.",
    registers: [registry],
    collect() {
      this.set(difference.seconds());
    },
  });
}
