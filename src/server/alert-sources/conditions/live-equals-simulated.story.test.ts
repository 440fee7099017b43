import { expect, it } from "vitest";
import { buildSimulatedAgent, buildSimulation, wanderingBars } from "../../../../test/simulated.ts";
import { useTradingWorld, type StoryOrder } from "../../../../test/trading-world.ts";
import { newTestId } from "../../../../test/world.ts";
import { bookDeps } from "../../../../test/expect-booked.ts";
import type { SentOwnerLimits } from "../../../contract/fields.ts";
import type { AlertCondition } from "../../../domain/condition/condition.ts";
import { toOwnerLimits } from "../../../domain/owner-limits.ts";
import type { Bar } from "../../../strategy/bar-times.ts";
import { simulate } from "../../../strategy/simulate.ts";
import { setOwnerLimits } from "../../agents/change-agent-fields.ts";
import { updateAgentLedger } from "../../ledger/update-agent-ledger.ts";
import { createAlertReceiver } from "../../trading/intake/receive-alerts.ts";
import { createConditionRunner } from "./condition-runner.ts";

const HOUR_MS = 3_600_000;
const BARS = 330;
/** As many as warm up. */
const FIRST = 210;
const SLIPPAGE_BPS = 50;
const FALL_BPS = 625;

const crosses = (is: "crosses-above" | "crosses-below", period: number): AlertCondition => ({
  kind: "comparisons",
  all: [
    {
      left: { kind: "price", field: "close" },
      is,
      right: { kind: "indicator", name: "EMA", output: "value", parameters: [period] },
    },
  ],
});

/** By the names of the story agent's alerts, in their order; longs on one average, shorts on another, so that sides turn over. */
const CONDITIONS = {
  long: crosses("crosses-above", 12),
  short: crosses("crosses-below", 20),
  "close long": crosses("crosses-below", 5),
  "close short": {
    kind: "comparisons",
    all: [
      {
        left: { kind: "position", figure: "bars-since-entry" },
        is: "above",
        right: { kind: "number", value: 3.5 },
      },
    ],
  },
} satisfies Record<string, AlertCondition>;

const ACTIONS = {
  long: "OPEN_LONG",
  "close long": "CLOSE_LONG",
  short: "OPEN_SHORT",
  "close short": "CLOSE_SHORT",
} as const;

const world = useTradingWorld("drift");

it.each<[string, SentOwnerLimits]>([
  ["without a limit", {}],
  // Reached from a peak that lies between two orders
  ["with a limit of the fall", { fallBps: FALL_BPS }],
])(
  "live trades equal the simulation %s: same signals and sizes, prices within the slippage",
  async (_name, limits) => {
    const { clock, agentId, deps, webDeps } = world;
    const names = Object.keys(CONDITIONS) as (keyof typeof CONDITIONS)[];
    for (const name of names) {
      await webDeps.db
        .updateTable("alerts")
        .set({ condition: JSON.stringify(CONDITIONS[name]) as never })
        .where("agent_id", "=", agentId)
        .where("name", "=", name)
        .execute();
    }
    clock.advance(HOUR_MS - (clock.now() % HOUR_MS));
    const session = { id: "s", wallet: world.owner.address };
    await setOwnerLimits({ ...webDeps, random: () => new Uint8Array() }, agentId, limits, session);
    const firstMs = clock.now() - FIRST * HOUR_MS;
    const bars = withPrices(wanderingBars(BARS, 7), firstMs);
    const errors: unknown[] = [];
    const receiver = createAlertReceiver({
      database: world.database,
      newId: newTestId,
      onStored: () => {},
      onError: (error) => errors.push(error),
    });
    const runner = createConditionRunner({
      db: deps.db,
      clock,
      historyOf: () => ({
        bars: async ({ fromMs, toMs }) => ({
          source: "test market",
          bars: bars.filter((bar) => bar.openTimeMs >= fromMs && bar.closeTimeMs <= toMs),
          gaps: [],
          contradictions: [],
        }),
      }),
      receive: (delivery) => receiver.receive(delivery),
      publisher: { publish() {} },
      log: { warn: (detail) => errors.push(detail) },
    });
    const changedAt = new Date(clock.now());
    await deps.db.updateTable("agents").set({ updated_at: changedAt }).execute();
    // What the last bar asks for has no next bar in the simulation
    for (const bar of bars.slice(FIRST, -1)) {
      clock.advance(bar.closeTimeMs + 1_000 - clock.now());
      world.setPrice(BigInt(Math.round(bar.close * 1_000_000)));
      await runner.round();
      await world.run();
      // The book is read all the time; here once what was traded is final
      clock.advance(59_000);
      await updateAgentLedger(bookDeps(world, errors), await world.agent());
    }
    expect(errors).toEqual([]);

    const venue = deps.networks.get("practice")?.venues.get("drift");
    if (venue === undefined) throw new Error("No venue");
    const agent = buildSimulatedAgent({
      slippageBps: SLIPPAGE_BPS,
      limits: toOwnerLimits(limits),
      alerts: names.map((name) => ({ alertKey: name, name, condition: CONDITIONS[name] })),
      rules: names.map((name) => ({
        ruleId: name,
        action: ACTIONS[name],
        conditions: [{ alertKey: name, requiredCount: 1 }],
      })),
    });
    const simulated = simulate(
      buildSimulation(bars, [], {
        agent,
        costs: await venue.tradingCosts("SOL-PERP"),
        startMoney: 500_000_000n,
        fromMs: firstMs + FIRST * HOUR_MS,
        firings: { kind: "conditions" },
      }),
    );
    const live = asCarriedOut(await world.orders());
    const shown = (
      orders: readonly {
        readonly signal: string;
        readonly leg: number;
        readonly outcome: string;
      }[],
    ) => orders.map(({ signal, leg, outcome }) => `${signal} ${leg} ${outcome}`);
    expect(
      shown(live.map((order) => ({ ...order, outcome: order.reason ?? order.state }))),
    ).toEqual(
      shown(simulated.orders.map((order) => ({ ...order, outcome: order.refusal ?? "filled" }))),
    );
    let fills = 0;
    for (const [at, order] of live.entries()) {
      const { fill, baseSize } = simulated.orders[at] ?? {};
      if (order.state !== "filled" || fill === undefined || fill === null || baseSize === undefined)
        continue;
      fills += 1;
      const price = (order.total * 10n ** 9n) / order.baseSize;
      expect(apart(price, fill.price)).toBeLessThan(SLIPPAGE_BPS / 10_000);
      // What earlier fills cost more or less is all there is between the sizes
      expect(apart(order.baseSize, baseSize)).toBeLessThan((fills * SLIPPAGE_BPS) / 10_000);
    }
    expect(fills).toBeGreaterThan(limits.fallBps === undefined ? 15 : 10);
  },
);

/** The opening half of a turn is written down when its closing half filled, and goes before what was planned by then. */
function asCarriedOut(orders: readonly StoryOrder[]): readonly StoryOrder[] {
  const carriedOut: StoryOrder[] = [];
  for (const order of orders) {
    const before = carriedOut.findLastIndex(
      ({ signal, leg }) => signal === order.signal && leg === 0,
    );
    if (order.leg === 0) carriedOut.push(order);
    else carriedOut.splice(before + 1, 0, order);
  }
  return carriedOut;
}

/** The bars at other times, each opening where the last one closed, as the practice chain's price goes. */
function withPrices(bars: readonly Bar[], firstMs: number): readonly Bar[] {
  return bars.map((bar, at) => {
    const open = bars[at - 1]?.close ?? bar.open;
    const openTimeMs = firstMs + at * HOUR_MS;
    return { ...bar, openTimeMs, closeTimeMs: openTimeMs + HOUR_MS, open };
  });
}

const apart = (one: bigint, other: bigint): number => Math.abs(Number(one) / Number(other) - 1);
