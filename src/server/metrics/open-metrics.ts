import type { Address } from "@solana/kit";
import {
  collectDefaultMetrics,
  Registry,
  AggregatorRegistry,
  type MetricObject,
} from "prom-client";
import type { Clock } from "../../domain/clock.ts";
import type { ClockDifference } from "../clock/clock-difference.ts";
import type { MetricsOptions } from "../http/metrics.ts";
import type { Networks } from "../networks.ts";
import type { Db } from "../store/postgres/db.ts";
import {
  addClockGauge,
  addHealthGauges,
  addLedgerGauges,
  addNodeGauges,
  addOpenWorkGauges,
} from "./gauges.ts";
import { type FeePayerWatch, watchFeePayer } from "./watch-fee-payer.ts";
import { readProcessFigures } from "../store/health/process-figures.ts";

/** Age in seconds after which a process's figures are left out: it has missed several rounds. */
const FRESH_SECONDS = 20;

/** Labels keep the processes apart, so nothing is added up, averaged or left out. */
const ADDED = "sum";

/** Returns this process's metrics and those of the database's trading processes as one text for scrapers. */
async function gatherFigures(db: Db, registry: Registry): Promise<string> {
  const own = await registry.getMetricsAsJSON();
  // Without a database this process's own figures are still worth having
  const others = await readProcessFigures(db, FRESH_SECONDS).catch(() => []);
  const all = [own, ...others.map(({ figures }) => figures as MetricObject[])];
  return AggregatorRegistry.aggregate(
    all.map((metrics) => metrics.map((metric) => ({ ...metric, aggregator: ADDED }))),
  ).metrics();
}

interface MetricsDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly networks: Networks;
  readonly clockDifference: ClockDifference;
}

/** Creates the metrics of the process that scrapers ask: itself, requests, and all that is in the database. */
export function openWebMetrics(
  deps: MetricsDeps & { readonly token: string | undefined },
): MetricsOptions {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addClockGauge(registry, deps.clockDifference);
  addNodeGauges(registry, deps.networks);
  addOpenWorkGauges(registry, deps);
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
