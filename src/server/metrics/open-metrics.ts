import type { Address } from "@solana/kit";
import {
  collectDefaultMetrics,
  Registry,
  AggregatorRegistry,
  type MetricObject,
  Counter,
  Gauge,
} from "prom-client";
import type { Clock } from "../../domain/clock.ts";
import type { ClockDifference } from "../clock/steady-clock.ts";
import type { MetricsOptions } from "../http/metrics.ts";
import type { Networks } from "../networks.ts";
import type { Db } from "../store/postgres/db.ts";
import {
  addClockGauge,
  addHealthGauges,
  addLedgerGauges,
  addNodeGauges,
  addOpenWorkGauges,
  addOutsideGauges,
  METRIC_PREFIX,
} from "./gauges.ts";
import { readProcessFigures } from "../store/health/process-figures.ts";
import type { Network } from "../../domain/network.ts";
import type { Chain } from "../../solana/chain.ts";

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
  addOutsideGauges(registry, deps);
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

/** Balance below which a fee payer should be topped up: about ten thousand orders' fees. */
export const LOW_LAMPORTS = 100_000_000n;

/** Monitors the account that pays for every order. */
interface FeePayerWatch {
  /** Reads one network's fee payer; called together with other reads of the chain to share requests. */
  look(network: Network): Promise<void>;
}

/**
 * Exports balances and unreachable chains as metrics; logs one line when a balance becomes low, not while it stays low.
 */
export function watchFeePayer(deps: {
  readonly registry: Registry;
  readonly networks: Networks;
  readonly feePayer: Address;
  readonly log: { warn(detail: object, message: string): void };
  /** Called on every reading with a low balance. */
  readonly onLow?: (network: string) => Promise<void>;
}): FeePayerWatch {
  const { networks, feePayer, log } = deps;
  const balance = new Gauge({
    name: `${METRIC_PREFIX}fee_payer_lamports`,
    help: "Balance of the account that pays for orders.",
    labelNames: ["network"],
    registers: [deps.registry],
  });
  const available = new Gauge({
    name: `${METRIC_PREFIX}chain_available`,
    help: "1 when the chain answered the last time it was asked.",
    labelNames: ["network"],
    registers: [deps.registry],
  });
  const failures = new Counter({
    name: `${METRIC_PREFIX}chain_unavailable_total`,
    help: "Times the chain did not answer when it was asked for the fee payer's balance.",
    labelNames: ["network"],
    registers: [deps.registry],
  });
  for (const network of networks.keys()) failures.inc({ network }, 0);
  const low = new Set<string>();
  async function lookAt(network: string, chain: Pick<Chain, "accounts">) {
    try {
      const [account] = (await chain.accounts([feePayer])).accounts;
      const lamports = account?.lamports ?? 0n;
      available.set({ network }, 1);
      balance.set({ network }, Number(lamports));
      const isLow = lamports < LOW_LAMPORTS;
      if (isLow && !low.has(network)) {
        log.warn(
          { network, feePayer, lamports: lamports.toString() },
          "the account that pays for orders is low: send it SOL",
        );
      }
      if (isLow) low.add(network);
      else low.delete(network);
      if (isLow) await deps.onLow?.(network);
    } catch {
      available.set({ network }, 0);
      failures.inc({ network });
    }
  }

  return {
    async look(network) {
      const runtime = networks.get(network);
      if (runtime !== undefined) await lookAt(network, runtime.chain);
    },
  };
}
