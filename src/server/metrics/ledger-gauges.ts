import { Gauge, type Registry } from "prom-client";
import type { Clock } from "../../domain/clock.ts";
import type { Db } from "../store/postgres/db.ts";
import { readLedgerHealth } from "../store/ledger/ledger-marks.ts";
import { shareReading } from "./share-reading.ts";

/** Adds gauges for the agreement of ledgers and chain; while the database is unavailable the last figures are kept. */
export function addLedgerGauges(
  registry: Registry,
  deps: { readonly db: Db; readonly clock: Clock },
): void {
  const labelNames = ["network"] as const;
  const read = shareReading(deps.clock, () => readLedgerHealth(deps.db));
  new Gauge({
    name: "ledger_balance_check_age_seconds",
    help: "Age of the last balance check that found everything right, of the agent it is longest ago for.",
    labelNames,
    registers: [registry],
    async collect() {
      for (const { network, oldestBalancedAt } of (await read()) ?? []) {
        if (oldestBalancedAt === null) continue;
        this.set({ network }, (deps.clock.now() - oldestBalancedAt.getTime()) / 1_000);
      }
    },
  });
  new Gauge({
    name: "ledger_differences",
    help: "Agents whose book differs from what the chain shows.",
    labelNames,
    registers: [registry],
    async collect() {
      for (const { network, different } of (await read()) ?? []) this.set({ network }, different);
    },
  });
}
