import type { Address } from "@solana/kit";
import { collectDefaultMetrics, Registry } from "prom-client";
import type { Clock } from "../../domain/clock.ts";
import type { ClockDifference } from "../clock/clock-difference.ts";
import type { MetricsOptions } from "../http/metrics.ts";
import type { Networks } from "../networks.ts";
import type { Db } from "../store/postgres/db.ts";
import { addClockGauge } from "./clock-gauge.ts";
import { gatherFigures } from "./gather-figures.ts";
import { addHealthGauges } from "./health-gauges.ts";
import { addLedgerGauges } from "./ledger-gauges.ts";
import { addNodeGauges } from "./node-gauges.ts";
import { addOpenWorkGauges } from "./open-work-gauges.ts";
import { type FeePayerWatch, watchFeePayer } from "./watch-fee-payer.ts";

interface MetricsDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly networks: Networks;
  readonly clockDifference: ClockDifference;
}

/** Creates the metrics of the process that scrapers ask: itself, requests, and all that is in the database. */
export function openPeopleMetrics(
  deps: MetricsDeps & { readonly token: string | undefined },
): MetricsOptions {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addClockGauge(registry, deps.clockDifference);
  addOpenWorkGauges(registry, deps);
  addNodeGauges(registry, deps.networks);
  addLedgerGauges(registry, deps);
  addHealthGauges(registry, deps);
  return {
    registry,
    gather: () => gatherFigures(deps.db, registry),
    ...(deps.token === undefined ? {} : { token: deps.token }),
  };
}

/** Creates the metrics of a process that trades: itself, its nodes, the fee payer. */
export function openTradingMetrics(
  deps: MetricsDeps & {
    readonly feePayer: Address;
    readonly log: { warn(detail: object, message: string): void };
    readonly onLow?: (network: string) => Promise<void>;
  },
): { readonly registry: Registry; readonly feePayer: FeePayerWatch } {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addClockGauge(registry, deps.clockDifference);
  addNodeGauges(registry, deps.networks);
  return { registry, feePayer: watchFeePayer({ ...deps, registry }) };
}
