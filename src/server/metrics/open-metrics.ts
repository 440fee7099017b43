import type { Address } from "@solana/kit";
import { collectDefaultMetrics, Registry } from "prom-client";
import type { Clock } from "../../domain/clock.ts";
import type { MetricsOptions } from "../http/metrics.ts";
import type { Networks } from "../networks.ts";
import type { Db } from "../store/postgres/db.ts";
import { addBookGauges } from "./book-gauges.ts";
import { addNodeGauges } from "./node-gauges.ts";
import { addOpenWorkGauges } from "./open-work-gauges.ts";
import { type FeePayerWatch, watchFeePayer } from "./watch-fee-payer.ts";

/** Creates the metrics registry: process, requests, open work, fee payer. */
export function openMetrics(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly networks: Networks;
  readonly feePayer: Address;
  readonly token: string | undefined;
  readonly log: { warn(detail: object, message: string): void };
  readonly onLow?: (network: string) => Promise<void>;
}): MetricsOptions & { readonly feePayer: FeePayerWatch } {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addOpenWorkGauges(registry, deps);
  addNodeGauges(registry, deps.networks);
  addBookGauges(registry, deps);
  return {
    registry,
    feePayer: watchFeePayer({ ...deps, registry }),
    ...(deps.token === undefined ? {} : { token: deps.token }),
  };
}
