import { Gauge, type Registry } from "prom-client";
import { HEALTH_LIMITS_MS, KEY_STATES, NODE_TROUBLES } from "../../domain/agent-health.ts";
import type { Clock } from "../../domain/clock.ts";
import { ORDER_STATES } from "../../domain/order/order-states.ts";
import type { ConditionRunner } from "../alert-sources/conditions/condition-runner.ts";
import type { ClockDifference } from "../clock/steady-clock.ts";
import type { Networks } from "../networks.ts";
import {
  type NetworkHealth,
  readHealthByNetwork,
  readFillTimes,
} from "../store/health/agent-health.ts";
import { type OpenWork, readOpenWork } from "../store/health/open-work.ts";
import { readLook } from "../store/health/outside-looks.ts";
import { readLedgerHealth } from "../store/ledger/ledger-marks.ts";
import type { Db } from "../store/postgres/db.ts";
import { countLastReadings } from "../store/reconcile/last-readings.ts";
import { readRounds } from "../store/reconcile/rounds.ts";

/** Lifetime of a shared reading in milliseconds. */
const KEPT_MS = 5_000;

/**
 * Returns a reading shared by all gauges of one scrape; null while the database is unavailable.
 *
 * Gauges are collected concurrently: a gauge set by another one would show the figures of the previous scrape.
 */
function shareReading<T>(
  clock: Clock,
  read: (nowMs: number) => Promise<T>,
): () => Promise<T | null> {
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<T | null> = Promise.resolve(null);
  return () => {
    const nowMs = clock.now();
    if (nowMs - readAtMs >= KEPT_MS) {
      readAtMs = nowMs;
      reading = read(nowMs).catch(() => null);
    }
    return reading;
  };
}

type Labels = Readonly<Record<string, string>>;

/** Figures of a gauge, each with its labels; one that is null is left out. */
type Figures = readonly (readonly [figure: number | null, labels: Labels])[];

/** Begins the name of every metric of the product's own, so that no other program's has the same. */
export const METRIC_PREFIX = "wheelhouse_";

/** Adds a gauge that is read at each scrape; null keeps the last figures, as while the database is unavailable. */
function addGauge(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly string[],
  read: () => Figures | null | Promise<Figures | null>,
): void {
  const gauge: Gauge = new Gauge({
    name: `${METRIC_PREFIX}${name}`,
    help,
    labelNames,
    registers: [registry],
    async collect() {
      const figures = await read();
      if (figures === null) return;
      gauge.reset();
      for (const [figure, labels] of figures) if (figure !== null) gauge.set(labels, figure);
    },
  });
}

interface Source {
  readonly db: Db;
  readonly clock: Clock;
  /** Networks whose counts are there from the start, before any agent is. */
  readonly networks: Pick<Networks, "keys">;
}

const secondsSince = (at: Date | null, nowMs: number): number | null =>
  at === null ? null : (nowMs - at.getTime()) / 1_000;

/** Adds a gauge for the difference between this machine's clock and the database's. */
export function addClockGauge(registry: Registry, difference: ClockDifference): void {
  const help = "This machine's clock minus the database's, by which everything goes.";
  addGauge(registry, "clock_difference_seconds", help, [], () => [[difference.seconds(), {}]]);
}

/** Adds gauges for the faults of each node, and for the node in use. */
export function addNodeGauges(registry: Registry, networks: Networks): void {
  const nodes = () =>
    [...networks.values()].flatMap((runtime) =>
      (runtime.nodes?.() ?? []).map((node) => ({ network: runtime.network, ...node })),
    );
  addGauge(
    registry,
    "node_trouble",
    "1 while this is wrong with the node.",
    ["network", "node", "kind"],
    () =>
      nodes().flatMap(({ network, name, trouble }) =>
        NODE_TROUBLES.map(
          (kind) => [trouble?.kind === kind ? 1 : 0, { network, node: name, kind }] as const,
        ),
      ),
  );
  addGauge(registry, "node_used", "1 for the node that answered last.", ["network", "node"], () =>
    nodes().map(({ network, name, isUsed }) => [isUsed ? 1 : 0, { network, node: name }]),
  );
}

/**
 * Adds gauges for the number of markets and agents whose conditions are evaluated here, and of markets where none can
 * fire.
 */
export function addConditionGauges(registry: Registry, counts: ConditionRunner["counts"]): void {
  const gauge = (name: string, help: string, kind: keyof ReturnType<typeof counts>): void =>
    addGauge(registry, name, help, [], () => [[counts()[kind], {}]]);
  gauge("condition_feeds", "Markets and intervals with conditions.", "feeds");
  gauge("condition_feeds_troubled", "Of these, how many have no usable candles.", "troubled");
  gauge("condition_agents", "Trading agents with conditions.", "agents");
}

/** Adds gauges for what the last look at everything outside found. */
export function addOutsideGauges(
  registry: Registry,
  { db, clock }: Omit<Source, "networks">,
): void {
  const read = shareReading(clock, () => readLook(db));
  const help = "1 when it worked at the last look; only what is needed.";
  addGauge(registry, "outside_works", help, ["name"], async () => {
    const look = await read();
    const needed = look?.findings.filter(({ isNeeded }) => isNeeded);
    return needed?.map(({ name, state }) => [state === "works" ? 1 : 0, { name }] as const) ?? null;
  });
  const since = "When the last look ended, in Unix seconds; 0 before the first.";
  addGauge(registry, "outside_look_timestamp_seconds", since, [], async () => {
    const look = await read();
    return look && [[(look.at?.getTime() ?? 0) / 1_000, {}]];
  });
}

/** Adds gauges for the health of each network's agents. */
export function addHealthGauges(registry: Registry, source: Source): void {
  addRecordGauges(registry, source);
  addReadingGauges(registry, source);
  addRoundGauges(registry, source);
  addFillGauges(registry, source);
}

const DAY_MS = 24 * 3_600_000;

/** Adds gauges for open work. */
export function addOpenWorkGauges(
  registry: Registry,
  { db, clock }: Omit<Source, "networks">,
): void {
  const read = shareReading(clock, (nowMs) =>
    readOpenWork(db, new Date(nowMs - DAY_MS), new Date(nowMs)),
  );
  const gauge = (
    name: string,
    help: string,
    countsOf: (work: OpenWork) => Readonly<Record<string, number>>,
  ): void =>
    addGauge(registry, name, help, ["state"], async () => {
      const work = await read();
      return work && Object.entries(countsOf(work)).map(([state, count]) => [count, { state }]);
    });
  const noOrders = Object.fromEntries(ORDER_STATES.map((state) => [state, 0]));
  gauge("orders", "Orders planned within the last day, by state.", (work) => ({
    ...noOrders,
    ...work.ordersByState,
  }));
  addGauge(registry, "lanes_waiting", "Agents with orders that are not final.", [], async () => {
    const work = await read();
    return work && [[work.lanesWaiting, {}]];
  });
  gauge(
    "custody_open",
    "Owners' transactions that are not settled.",
    (work) => work.custodyByState,
  );
  gauge(
    "notices",
    "Owners' notices that wait, and those given up within the last day.",
    (work) => work.noticesByState,
  );
}

/** Adds gauges of one figure a network; a network without a row has the count of none, where there is one. */
function addNetworkGauges<Row extends { readonly network: string }>(
  registry: Registry,
  { networks }: Pick<Source, "networks">,
  read: () => Promise<readonly Row[] | null>,
  gauges: readonly (readonly [
    name: string,
    help: string,
    figure: (row: Row) => number | null,
    none?: 0,
  ])[],
): void {
  for (const [name, help, figure, none = null] of gauges) {
    addGauge(registry, name, help, ["network"], async () => {
      const rows = await read();
      return (
        rows && [
          ...[...networks.keys()].map((network) => [none, { network }] as const),
          ...rows.map((row) => [figure(row), { network: row.network }] as const),
        ]
      );
    });
  }
}

/** Adds gauges for the agreement of ledgers and chain. */
export function addLedgerGauges(registry: Registry, source: Source): void {
  const { db, clock } = source;
  const read = shareReading(clock, () => readLedgerHealth(db));
  addNetworkGauges(registry, source, read, [
    [
      "ledger_balance_check_age_seconds",
      "Age of the last balance check that found everything right, of the agent it is longest ago for.",
      ({ oldestBalancedAt }) => secondsSince(oldestBalancedAt, clock.now()),
    ],
    [
      "ledger_differences",
      "Agents whose book differs from what the chain shows.",
      ({ different }) => different,
      0,
    ],
  ]);
}

/** Adds the gauges of the rounds that read all agents of a network. */
function addRoundGauges(registry: Registry, source: Source): void {
  const { db, clock } = source;
  const read = shareReading(clock, () => readRounds(db));
  addNetworkGauges(registry, source, read, [
    [
      "reconcile_round_age_seconds",
      "Age of the last round of reconciliation that read every agent.",
      ({ doneAt }) => secondsSince(doneAt, clock.now()),
    ],
    [
      "reconcile_rounds_failed",
      "Rounds since then that could not read every agent.",
      ({ failed }) => failed,
      0,
    ],
  ]);
}

/** Adds the gauge of the time from an alert to its fill. */
function addFillGauges(registry: Registry, { db, clock }: Source): void {
  const read = shareReading(clock, (nowMs) =>
    readFillTimes(db, { since: new Date(nowMs - HEALTH_LIMITS_MS.fills) }),
  );
  addGauge(
    registry,
    "alert_to_fill_seconds",
    "Time from an alert's arrival to its fill, over the orders sent within the last day.",
    ["network", "quantile"],
    async () => {
      const times = await read();
      return (
        times &&
        times.flatMap(({ network, p50Ms, p95Ms }) => [
          [Math.round(p50Ms) / 1_000, { network, quantile: "0.5" }] as const,
          [Math.round(p95Ms) / 1_000, { network, quantile: "0.95" }] as const,
        ])
      );
    },
  );
}

/** Adds the gauges of each network's alerts and orders. */
function addRecordGauges(registry: Registry, source: Source): void {
  const { db, clock } = source;
  const read = shareReading(clock, async (nowMs) =>
    (await readHealthByNetwork(db, new Date(nowMs - HEALTH_LIMITS_MS.silent))).map(
      (health): NetworkHealth & { readonly nowMs: number } => ({ ...health, nowMs }),
    ),
  );
  addNetworkGauges(registry, source, read, [
    [
      "last_alert_age_seconds",
      "Age of the last alert of any agent.",
      ({ lastAlertAt, nowMs }) => secondsSince(lastAlertAt, nowMs),
    ],
    [
      "agents_silent",
      "Trading agents that await alerts and have heard none for a day.",
      ({ silent }) => silent,
      0,
    ],
    [
      "orders_unsettled",
      "Orders sent whose outcome is not known.",
      ({ unsettled }) => unsettled,
      0,
    ],
    [
      "orders_unsettled_age_seconds",
      "How long ago the first of them was sent.",
      ({ unsettledSince, nowMs }) => secondsSince(unsettledSince, nowMs) ?? 0,
      0,
    ],
  ]);
}

const NO_KEYS: Readonly<Partial<Record<(typeof KEY_STATES)[number], number>>> = {};

/** Adds the gauges from the last readings of the agents, whichever process made them. */
function addReadingGauges(registry: Registry, source: Source): void {
  const { db, clock } = source;
  const read = shareReading(clock, () => countLastReadings(db));
  addNetworkGauges(registry, source, read, [
    [
      "agents_unanswered",
      "Agents whose chain or venue did not answer the last look.",
      ({ unanswered }) => unanswered,
      0,
    ],
    [
      "agents_reconciled_age_seconds",
      "Age of the last look at the agent it is longest ago for.",
      ({ oldestDoneAt }) => secondsSince(oldestDoneAt, clock.now()),
    ],
  ]);
  addGauge(
    registry,
    "agent_keys",
    "Agents by whose key may trade; unknown where that could not be read.",
    ["network", "state"],
    async () => {
      const counted = await read();
      const none = [...source.networks.keys()].map((network) => ({
        network,
        keys: NO_KEYS,
        agents: 0,
      }));
      return (
        counted &&
        [...none, ...counted].flatMap(({ network, keys, agents }) => {
          const known = KEY_STATES.map((state) => [keys[state] ?? 0, { network, state }] as const);
          const unknown = agents - known.reduce((sum, [count]) => sum + count, 0);
          return [...known, [unknown, { network, state: "unknown" }] as const];
        })
      );
    },
  );
}
