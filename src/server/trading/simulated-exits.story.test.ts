import fc from "fast-check";
import { expect, it } from "vitest";
import { savePlan } from "../../../test/save-plan.ts";
import { buildSimulatedAgent, buildSimulation, hourlyBars } from "../../../test/simulated.ts";
import { createTradingWorld, type TradingWorld } from "../../../test/trading-world.ts";
import { mulDiv } from "../../domain/amount.ts";
import { findPlanFault } from "../../domain/plan/check-plan.ts";
import { addLevel, demandOf } from "../../domain/plan/demand.ts";
import type { Plan } from "../../domain/plan/plan.ts";
import type { Side } from "../../domain/position.ts";
import { priceUnits } from "../../strategy/fill-model.ts";
import { simulate } from "../../strategy/simulate.ts";
import { VENUE_PROFILES } from "../../venues/profiles.ts";
import { type AgentRecord, findAgent } from "../store/agents/agents.ts";
import { findPlanRow } from "../store/orders/plan-positions.ts";
import { watchPlans } from "./lanes/watch-plans.ts";
import { plannedPosition } from "./orders/keep-plan.ts";

/** Random plans and markets a run, from a seed with two targets at one price and a hold; more in a release: SIMULATED_EXITS=200. */
const SEEDS = Number(process.env["SIMULATED_EXITS"] ?? 10);
const FIRST_SEED = Number(process.env["SIMULATED_EXITS_FROM"] ?? 25);
const HOUR_MS = 3_600_000;
const SIZE_PERCENT = 30;
/** Looks at one price: a stop that rests has its turn before it is closed from here, and an exit goes on until it is done. */
const LOOK_MS = 8_000;
const LOOKS = 4;
const MOST_LOOKS = 100;

const bps = (min: number, max: number) => fc.integer({ min, max });
const percent = (min: number, max: number) =>
  bps(min, max).map((found) => ({ kind: "percent" as const, bps: found }));
const maybe = <Of>(part: fc.Arbitrary<Of>) => fc.option(part, { nil: undefined });

const plan: fc.Arbitrary<Plan> = fc
  .record({
    stop: maybe(
      fc.record({
        at: percent(100, 500),
        trail: maybe(
          fc.record({ afterBps: bps(50, 300), by: percent(60, 300), stepBps: bps(5, 60) }),
        ),
        breakEvenAfterBps: maybe(bps(50, 300)),
      }),
    ),
    targets: maybe(
      fc
        .tuple(
          fc.array(fc.record({ at: percent(50, 600), closePercent: bps(10, 60) }), {
            minLength: 1,
            maxLength: 3,
          }),
          fc.boolean(),
        )
        .map(([targets, isOnePrice]) =>
          targets.map((each) => (isOnePrice ? { ...each, at: targets[0]?.at ?? each.at } : each)),
        ),
    ),
    adds: maybe(
      fc.record({
        on: fc.oneof(
          fc.constant({ kind: "signal" as const }),
          fc.record({
            kind: fc.constantFrom("against" as const, "favour" as const),
            bps: bps(40, 200),
          }),
        ),
        times: bps(1, 2),
        sizePercent: bps(20, 100),
      }),
    ),
    holdBars: maybe(bps(2, 8)),
  })
  .map((parts) => ({
    ...(Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)) as Plan),
    maxPositionPercent: 95,
  }))
  .filter(
    (each) =>
      // An add on the way up, and a target or a stop that it moves: the simulation makes the add first
      (each.adds?.on.kind !== "favour" ||
        [each.targets, each.stop?.trail, each.stop?.breakEvenAfterBps].every(
          (part) => part === undefined,
        )) &&
      findPlanFault(each, {
        leverage: 1,
        positionSizePercent: SIZE_PERCENT,
        venue: VENUE_PROFILES.drift,
      }) === null,
  );

/** A market that goes on where it was: each bar runs from one price straight to the next. */
const market = fc.record({
  plan,
  side: fc.constantFrom<Side>("long", "short"),
  moves: fc.array(bps(-250, 250), { minLength: 6, maxLength: 9 }),
  /** Whether the alert that opened fires again when a bar opens. */
  fires: fc.array(fc.boolean(), { minLength: 10, maxLength: 10 }),
  /** Of plans with a stop; the others have none. */
  leverage: fc.integer({ min: 1, max: 3 }),
});

interface Market {
  readonly plan: Plan;
  readonly leverage: number;
  readonly side: Side;
  /** Price at the open of each bar, the entry's first; in cents, so that a float has it exactly. */
  readonly opens: readonly number[];
  readonly fires: readonly boolean[];
}

function marketOf(seed: number): Market {
  const [found] = fc.sample(market, { seed, numRuns: 1 });
  if (found === undefined) throw new Error("No market");
  const opens = [155, 155];
  for (const move of found.moves) {
    opens.push(Math.round((opens.at(-1) ?? 0) * (100 + move / 100)) / 100);
  }
  return { ...found, leverage: found.plan.stop === undefined ? 1 : found.leverage, opens };
}

/** A closing: what ended it, how much it closed and at what price. */
interface Exit {
  readonly by: string;
  readonly baseSize: bigint;
  readonly price: bigint;
}

interface Lived {
  readonly exits: readonly Exit[];
  readonly left: bigint;
  /** Bars at whose open the alert fired. */
  readonly firedAt: readonly number[];
}

const unitsOf = (price: number): bigint => priceUnits(price) ?? 0n;

/** Lives through a market on the practice exchange, a price at a time and every level of the plan one of them. */
async function live(
  world: TradingWorld,
  agent: AgentRecord,
  { plan, side, opens, fires }: Market,
): Promise<Lived> {
  const firedAt: number[] = [];
  const { db } = world.database;
  const row = () => findPlanRow(db, world.agentId);
  const demand = async (price: bigint) => {
    const found = await row();
    if (found?.position == null) return null;
    const position = plannedPosition(agent, found, found.position, world.clock.now());
    return { position, ...demandOf(plan, position, { price }) };
  };
  const isUnderWay = async (price: bigint) => {
    const open = db.selectFrom("exits").select("id").where("state", "=", "working");
    return (await open.execute()).length > 0 || (await demand(price))?.closeNow != null;
  };
  const look = async (price: bigint) => {
    for (let at = 0; at < LOOKS || (at < MOST_LOOKS && (await isUnderWay(price))); at += 1) {
      world.setPrice(price);
      world.clock.advance(LOOK_MS);
      world.setPrice(price);
      await watchPlans(world.deps, "practice", () => {});
      await world.run();
    }
  };
  /** The nearest price just beyond a level on the way to `to`; null where there is none. */
  const nextLevel = async (from: bigint, to: bigint): Promise<bigint | null> => {
    const wanted = await demand(from);
    if (wanted === null) return null;
    const levels = wanted.protective.map(({ triggerPrice }) => triggerPrice);
    const add = addLevel(plan, wanted.position);
    const way = to > from ? 1n : -1n;
    return [...levels, ...(add === null ? [] : [add])]
      .map((level) => level + way)
      .filter((level) => (level - from) * way > 0n && (to - level) * way > 0n)
      .reduce<bigint | null>(
        (best, level) => (best === null || (level - best) * way < 0n ? level : best),
        null,
      );
  };
  for (let bar = 1; bar < opens.length; bar += 1) {
    world.clock.advance(HOUR_MS - (world.clock.now() % HOUR_MS));
    const [open, close] = [unitsOf(opens[bar] ?? 0), unitsOf(opens[bar + 1] ?? opens[bar] ?? 0)];
    world.setPrice(open);
    if (bar === 1 || (fires[bar] === true && (await row())?.position != null)) {
      firedAt.push(bar);
      await world.fire(side);
      await world.run();
    }
    await look(open);
    let price: bigint | null = open;
    for (; price !== null; price = await nextLevel(price, close)) {
      if (price !== open) await look(price);
    }
    await look(close);
  }
  const orders = await db
    .selectFrom("orders")
    .innerJoin("trade_log", "trade_log.order_id", "orders.id")
    .innerJoin("exits", "exits.id", "orders.exit_id")
    .where("orders.state", "=", "filled")
    .select(["plan_end", "base_size", "quote_total"])
    .orderBy("orders.seq")
    .execute();
  return {
    exits: orders.map(({ plan_end, base_size, quote_total }) => ({
      by: (plan_end ?? "").replace(/_\d$/, ""),
      baseSize: BigInt(base_size),
      price: mulDiv(BigInt(quote_total), 10n ** 9n, BigInt(base_size), "down"),
    })),
    left: (await world.account()).positions[0]?.baseSize ?? 0n,
    firedAt,
  };
}

/** Simulates the same market with the exchange's costs, and the alert at the same times. */
function simulated(
  { side, opens }: Market,
  firedAt: readonly number[],
  parts: Parameters<typeof buildSimulation>[2],
): Omit<Lived, "firedAt"> {
  const alert = side === "long" ? "OPEN_LONG" : "OPEN_SHORT";
  const bars = hourlyBars(
    opens.map((open, at) => {
      const close = at === 0 ? open : (opens[at + 1] ?? open);
      return [open, Math.max(open, close), Math.min(open, close), close];
    }),
  );
  const fired = firedAt.map((bar) => [bar - 1, alert] as const);
  const { trades } = simulate(buildSimulation(bars, fired, parts));
  return {
    exits: trades
      .filter(({ exitedAtMs }) => exitedAtMs !== null)
      .map(({ endedBy, baseSize, exitPrice }) => ({ by: endedBy, baseSize, price: exitPrice })),
    left: trades.find(({ exitedAtMs }) => exitedAtMs === null)?.baseSize ?? 0n,
  };
}

it(
  `exits of ${SEEDS} random plans are those of the simulation, to the unit`,
  async () => {
    let exits = 0;
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 1) {
      const found = marketOf(seed);
      const world = await createTradingWorld("drift");
      try {
        const { leverage } = found;
        await savePlan(world, found.plan, { position_size_percent: SIZE_PERCENT, leverage });
        if (leverage > 1) await world.approve(await world.prepare("update-limits"));
        const agent = await findAgent(world.database.db, world.agentId);
        if (agent === null) throw new Error("No agent");
        const { marketId, slippageBps } = agent;
        const costs = await world.networks
          .get("practice")
          ?.venues.get("drift")
          ?.tradingCosts(marketId);
        const { freeCollateral } = await world.account();
        const lived = await live(world, agent, found);
        const market = VENUE_PROFILES.drift.markets.find((each) => each.marketId === marketId);
        if (costs === undefined || market === undefined) throw new Error("No market");
        const expected = simulated(found, lived.firedAt, {
          startMoney: freeCollateral,
          costs: { ...costs, fundingPpmPerDay: 0 },
          agent: buildSimulatedAgent({
            market,
            plan: found.plan,
            leverage,
            positionSizePercent: SIZE_PERCENT,
            slippageBps,
          }),
        });
        const sizes = (of: Omit<Lived, "firedAt">) => ({
          exits: of.exits.map(({ by, baseSize }) => `${by} ${baseSize}`),
          left: of.left,
        });
        expect({ seed, ...sizes(lived) }).toEqual({ seed, ...sizes(expected) });
        // The curve rounds each fill for itself
        const apart = lived.exits.flatMap(({ by, price }, at) => {
          const of = expected.exits[at]?.price ?? 0n;
          const most = of / 1_000_000n;
          return price - of > most || of - price > most
            ? [`${by} at ${price} instead of ${of}`]
            : [];
        });
        expect({ seed, apart }).toEqual({ seed, apart: [] });
        expect(world.problems).toEqual([]);
        exits += lived.exits.length;
      } finally {
        await world.database.drop();
      }
    }
    expect(exits).toBeGreaterThanOrEqual(SEEDS / 2);
  },
  SEEDS * 60_000,
);
