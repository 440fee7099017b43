import fc from "fast-check";
import { expect, it } from "vitest";
import { expectBooked } from "../../../test/expect-booked.ts";
import { createTradingWorld, type TradingWorld } from "../../../test/trading-world.ts";
import { OPEN_ORDER_STATES, isOpenOrderState } from "../../domain/order/order-states.ts";
import type { SendFault } from "../../../test/faults.ts";
import type { Signature } from "@solana/kit";
import { ChainUnavailableError, TransactionRefusedError } from "../../solana/chain.ts";
import { findLateFills } from "./orders/find-late-fills.ts";
import { changeExchange, setExchangePaused } from "../../../test/practice-operator.ts";

/** Lives per test run; more of them: EXIT_LIVES=200. */
const LIVES = Number(process.env["EXIT_LIVES"] ?? 4);

/** Everything a minute of an agent's life can hold. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ wait: fc.integer({ min: 1, max: 40 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ fire: fc.constantFrom("long", "short", "close long", "close short") }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      faults: fc.array(
        fc.constantFrom<(SendFault | undefined)[]>(
          undefined,
          "refuse",
          "drop",
          "lose-answer",
          "fork",
          "delay",
        ),
        { maxLength: 4 },
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ isDown: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ isPaused: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ isHalted: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ auctionSlots: fc.constantFrom(0, 10) }) },
  { weight: 2, arbitrary: fc.record({ price: fc.integer({ min: 140, max: 160 }) }) },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function take(world: TradingWorld, next: Step): Promise<void> {
  if ("wait" in next) {
    for (let second = 0; second < next.wait; second += 5) {
      world.clock.advance(5_000);
      await world.run(second % 2 === 0 ? "one" : "other");
    }
  }
  if ("fire" in next) await world.fire(next.fire);
  if ("faults" in next) world.faulty.script((send) => next.faults[send]);
  if ("isDown" in next) world.faulty.setDown(next.isDown);
  if ("isPaused" in next) await setExchangePaused(world.chain, next.isPaused);
  if ("isHalted" in next) world.limitTo(next.isHalted ? "halted" : "active");
  if ("auctionSlots" in next) {
    await changeExchange(world.chain, { minPerpAuctionDuration: next.auctionSlots });
  }
  if ("price" in next) world.setPrice(BigInt(next.price) * 1_000_000n);
  await world.run();
}

async function heal(world: TradingWorld): Promise<void> {
  world.faulty.script(() => undefined);
  world.faulty.setDown(false);
  world.faulty.resolveForks();
  await world.faulty.release().catch(() => {});
  await setExchangePaused(world.chain, false);
  world.limitTo("active");
}

const runFor = async (world: TradingWorld, seconds: number) => {
  for (let second = 0; second < seconds; second += 1) {
    world.clock.advance(1_000);
    await world.run();
  }
};

/** Returns the position by the trade log, in base units. */
const booked = async (world: TradingWorld): Promise<bigint> =>
  (await world.orders())
    .filter(({ status }) => status === "success")
    .reduce(
      (sum, { side, baseSize }) => sum + (side === "long" || side === "buy" ? baseSize : -baseSize),
      0n,
    );

const held = async (world: TradingWorld): Promise<bigint> =>
  (await world.account()).positions.reduce(
    (sum, { side, baseSize }) => sum + (side === "long" ? baseSize : -baseSize),
    0n,
  );

/** Returns whether the owner sees that closing goes on. */
async function isWorkedOn(world: TradingWorld): Promise<boolean> {
  const { db } = world.database;
  const exits = await db.selectFrom("exits").select("id").where("state", "=", "working").execute();
  const open = await db
    .selectFrom("orders")
    .select("id")
    .where("state", "in", OPEN_ORDER_STATES)
    .execute();
  return exits.length + open.length > 0 || (await world.agent()).autoTrade === "stopping";
}

/** Every order that is over says what the chain shows of it. */
async function expectTruth(world: TradingWorld): Promise<void> {
  const rows = await world.database.db
    .selectFrom("orders")
    .select(["id", "signal", "state", "signature"])
    .execute();
  for (const { id, signal, state, signature } of rows) {
    if (isOpenOrderState(state) || signature === null) continue;
    const landed = await world.chain.transaction(signature as Signature);
    const hasTraded = state === "filled" || state === "partially_filled";
    if (hasTraded) expect([signal, state, landed?.error ?? null]).toEqual([signal, state, null]);
    const fills = await world.database.db
      .selectFrom("order_fills")
      .select("base_size")
      .where("order_id", "=", id)
      .execute();
    expect([signal, state, fills.length > 0]).toEqual([signal, state, hasTraded]);
  }
}

/** Log messages of an absent node or venue; every other warning is our fault. */
const isOfTheChain = (problem: unknown): boolean => {
  const { err, landing } = problem as { readonly err?: unknown; readonly landing?: unknown };
  return (
    landing !== undefined ||
    err instanceof ChainUnavailableError ||
    err instanceof TransactionRefusedError
  );
};

it(
  "an exit ends flat or visibly continues, nothing opens twice, and the books equal the chain",
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 25 }), async (steps) => {
        const world = await createTradingWorld();
        try {
          await world.fire("long");
          await world.run();
          const half = Math.floor(steps.length / 2);
          for (const next of steps.slice(0, half)) await take(world, next);
          // What cannot be read is taken up again by itself
          await world.turn("off");
          for (const next of steps.slice(half)) {
            await take(world, next);
            expect((await held(world)) === 0n || (await isWorkedOn(world))).toBe(true);
          }
          await heal(world);
          await runFor(world, 60);
          await findLateFills(world.deps, "practice");
          await expectTruth(world);
          await runFor(world, 200);
          expect([(await world.agent()).autoTrade, await held(world)]).toEqual(["off", 0n]);
          expect(await booked(world)).toBe(0n);
          await expectBooked(world);
          expect((await world.account()).openOrderCount).toBe(0);
          expect(world.problems.filter((problem) => !isOfTheChain(problem))).toEqual([]);
        } finally {
          await world.database.drop();
        }
      }),
      { seed: 8, numRuns: LIVES, endOnFailure: true },
    );
  },
  60_000 + LIVES * 60_000,
);
