import { Gauge, type Registry } from "prom-client";
import { HEALTH_LIMITS_MS, KEY_STATES } from "../../domain/agent-health.ts";
import type { Clock } from "../../domain/clock.ts";
import { type NetworkHealth, readHealthByNetwork } from "../store/health/agent-health.ts";
import type { Db } from "../store/postgres/db.ts";
import { readFillTimes } from "../store/health/fill-times.ts";
import { readRounds } from "../store/reconcile/rounds.ts";
import { countLastReadings, type ReadingCounts } from "../store/reconcile/last-readings.ts";
import { shareReading } from "./share-reading.ts";

/** Adds gauges for the health of each network's agents. */
export function addHealthGauges(
  registry: Registry,
  deps: { readonly db: Db; readonly clock: Clock },
): void {
  addRecordGauges(registry, deps);
  addLookGauges(registry, deps);
  addRoundGauges(registry, deps);
  addFillGauges(registry, deps);
}

/** Adds the gauges of the rounds that read all agents of a network. */
function addRoundGauges(
  registry: Registry,
  { db, clock }: { readonly db: Db; readonly clock: Clock },
): void {
  const labelNames = ["network"] as const;
  const read = shareReading(clock, () => readRounds(db));
  new Gauge({
    name: "reconcile_round_age_seconds",
    help: "Age of the last round of reconciliation that read every agent.",
    labelNames,
    registers: [registry],
    async collect() {
      for (const { network, doneAt } of (await read()) ?? []) {
        if (doneAt !== null) this.set({ network }, (clock.now() - doneAt.getTime()) / 1_000);
      }
    },
  });
  new Gauge({
    name: "reconcile_rounds_failed",
    help: "Rounds since then that could not read every agent.",
    labelNames,
    registers: [registry],
    async collect() {
      for (const { network, failed } of (await read()) ?? []) this.set({ network }, failed);
    },
  });
}

/** Adds the gauges of the time from an alert to its fill. */
function addFillGauges(
  registry: Registry,
  { db, clock }: { readonly db: Db; readonly clock: Clock },
): void {
  const read = shareReading(clock, (nowMs) =>
    readFillTimes(db, { since: new Date(nowMs - HEALTH_LIMITS_MS.fills) }),
  );
  new Gauge({
    name: "alert_to_fill_seconds",
    help: "Time from an alert's arrival to its fill, over the orders sent within the last day.",
    labelNames: ["network", "quantile"] as const,
    registers: [registry],
    async collect() {
      const times = await read();
      if (times === null) return;
      this.reset();
      for (const { network, p50Ms, p95Ms } of times) {
        this.set({ network, quantile: "0.5" }, Math.round(p50Ms) / 1_000);
        this.set({ network, quantile: "0.95" }, Math.round(p95Ms) / 1_000);
      }
    },
  });
}

/** Adds the gauges from the records; while the database is unavailable the last figures are kept. */
function addRecordGauges(
  registry: Registry,
  { db, clock }: { readonly db: Db; readonly clock: Clock },
): void {
  const read = shareReading(clock, async (nowMs) => ({
    nowMs,
    networks: await readHealthByNetwork(db, new Date(nowMs - HEALTH_LIMITS_MS.silent)),
  }));
  const gauge = (
    name: string,
    help: string,
    figure: (health: NetworkHealth, nowMs: number) => number | null,
  ): void => {
    const made: Gauge<"network"> = new Gauge({
      name,
      help,
      labelNames: ["network"],
      registers: [registry],
      async collect() {
        const reading = await read();
        for (const health of reading?.networks ?? []) {
          const value = figure(health, reading?.nowMs ?? 0);
          if (value !== null) made.set({ network: health.network }, value);
        }
      },
    });
  };
  const secondsSince = (at: Date | null, nowMs: number): number | null =>
    at === null ? null : (nowMs - at.getTime()) / 1_000;

  gauge("last_alert_age_seconds", "Age of the last alert of any agent.", (health, nowMs) =>
    secondsSince(health.lastAlertAt, nowMs),
  );
  gauge(
    "agents_silent",
    "Trading agents that await alerts and have heard none for a day.",
    ({ silent }) => silent,
  );
  gauge("orders_unsettled", "Orders sent whose outcome is not known.", (each) => each.unsettled);
  gauge(
    "orders_unsettled_age_seconds",
    "How long ago the first of them was sent.",
    (health, nowMs) => secondsSince(health.unsettledSince, nowMs) ?? 0,
  );
}

/** Adds the gauges from the last looks at the agents, whichever process made them. */
function addLookGauges(
  registry: Registry,
  { db, clock }: { readonly db: Db; readonly clock: Clock },
): void {
  const read = shareReading(clock, () => countLastReadings(db));
  const gauge = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    show: (gauge: Gauge<Label>, counts: ReadingCounts) => void,
  ): void => {
    const made: Gauge<Label> = new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const counted = await read();
        if (counted === null) return;
        made.reset();
        for (const counts of counted) show(made, counts);
      },
    });
  };
  gauge(
    "agents_unanswered",
    "Agents whose chain or venue did not answer the last look.",
    ["network"],
    (made, { network, unanswered }) => made.set({ network }, unanswered),
  );
  gauge(
    "agent_keys",
    "Agents by whose key may trade; unknown where that could not be read.",
    ["network", "state"],
    (made, { network, keys, agents }) => {
      const known = KEY_STATES.map((state) => [state, keys[state] ?? 0] as const);
      const unknown = agents - known.reduce((sum, [, count]) => sum + count, 0);
      for (const [state, count] of [...known, ["unknown", unknown] as const]) {
        made.set({ network, state }, count);
      }
    },
  );
  gauge(
    "agents_reconciled_age_seconds",
    "Age of the last look at the agent it is longest ago for.",
    ["network"],
    (made, { network, oldestDoneAt }) => {
      if (oldestDoneAt !== null)
        made.set({ network }, (clock.now() - oldestDoneAt.getTime()) / 1_000);
    },
  );
}
