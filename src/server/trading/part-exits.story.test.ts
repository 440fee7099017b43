import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { expectBooked } from "../../../test/expect-booked.ts";
import { useTradingWorld } from "../../../test/trading-world.ts";
import { decisionHandlers } from "../routes/decisions.ts";
import { withShownFigures } from "../positions/recorded-figures.ts";

const world = useTradingWorld();

let opened = 0n;

beforeEach(async () => {
  await world.fire("long");
  await world.run();
  world.clock.advance(1_000);
  opened = await held();
});

afterEach(() => expectBooked(world));

const held = async (): Promise<bigint> => (await world.account()).positions[0]?.baseSize ?? 0n;

const exits = () => world.database.db.selectFrom("exits").selectAll().orderBy("asked_at").execute();

const closeBy = (portion: number) =>
  world.database.db
    .updateTable("rules")
    .set({ portion })
    .where("action", "=", "CLOSE_LONG")
    .execute();

/** Runs the agent's lane every second for that long, as the schedule would. */
async function runFor(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    world.clock.advance(1_000);
    await world.run();
  }
}

/** The market's step, below which nothing is ordered. */
const STEP = 10_000_000n;

/** The share of the opened position that a rule of `portion` percent leaves, in the market's steps. */
const left = (portion: bigint) => {
  const part = (opened * portion) / 100n;
  return opened - (part - (part % STEP));
};

/** The open position as header, calls, chat and tools show it. */
async function shownPosition() {
  const venue = world.deps.networks.get("practice")?.venues.get("drift");
  if (venue === undefined) throw new Error("No practice exchange");
  const { db } = world.database;
  const { positions } = await withShownFigures(db, venue, world.agentId, await world.account());
  return positions[0] ?? expect.fail("nothing is held");
}

describe("a rule that closes part of a position", () => {
  it("leaves a P&L with the fees of what is still held, pending or booked, and none of what is closed", async () => {
    const before = await shownPosition();
    for (const [portion, isBooked] of [
      [40, false],
      [50, true],
    ] as const) {
      await closeBy(portion);
      await world.fire("close long");
      await world.run();
      await runFor(20);
      if (isBooked) await expectBooked(world);
      const rest = await shownPosition();
      const { unrealizedPnl, entryFees = 0n, positionValue, entryPrice, baseSize } = rest;
      const paid = ((before.entryFees ?? 0n) * baseSize) / before.baseSize;
      expect(paid).toBeLessThan(0n);
      expect(Number(entryFees - paid)).toBeCloseTo(0, -1);
      const made = positionValue - (baseSize * entryPrice) / 1_000_000_000n;
      expect(Number(unrealizedPnl - made - paid)).toBeCloseTo(0, -1);
    }
  });

  it("is told without the fees of what is closed by the decision on the rest, later too", async () => {
    const { listDecisions } = decisionHandlers({ db: world.database.db });
    const seen = async () => {
      const { decisions } = await listDecisions({
        params: { agentId: world.agentId },
        query: {},
      } as Parameters<typeof listDecisions>[0]);
      return decisions[0]?.account?.positions[0]?.pnl;
    };
    for (const portion of [40, 50]) {
      await closeBy(portion);
      const shown = (await shownPosition()).unrealizedPnl;
      await world.fire("close long");
      await world.run();
      expect(Number(await seen())).toBeCloseTo(Number(shown) / 1e6, 4);
      await runFor(20);
    }
    const last = await seen();
    await expectBooked(world);
    expect(await seen()).toBe(last);
  });

  it("closes that percent of it and no more", async () => {
    await closeBy(40);
    await world.fire("close long");
    await world.run();
    expect((await world.story()).slice(1)).toEqual(["CLOSE_LONG filled"]);
    expect((await world.orders()).at(-1)).toMatchObject({ percentage: 40 });
    expect(await held()).toBe(left(40n));
    await runFor(20);
    expect(await held()).toBe(left(40n));
    expect(await exits()).toEqual([]);
  });

  it("goes on after an order expired until the part is closed", async () => {
    await closeBy(50);
    world.faulty.script(() => "drop");
    await world.fire("close long");
    await world.run();
    world.clock.advance(100_000);
    await world.run();
    expect(await exits()).toMatchObject([{ state: "working", part: { portion: 50 } }]);
    world.faulty.script(() => undefined);
    await runFor(2);
    expect((await world.story()).slice(1)).toEqual([
      "CLOSE_LONG expired expired",
      "CLOSE_LONG filled",
    ]);
    expect(await held()).toBe(left(50n));
    await runFor(20);
    expect(await held()).toBe(left(50n));
    expect(await exits()).toMatchObject([{ state: "done" }]);
  });

  it("takes the percent of what is held once a node answers", async () => {
    await closeBy(50);
    world.faulty.setDown(true);
    await world.fire("close long");
    await world.run();
    await runFor(5);
    expect(await exits()).toMatchObject([{ state: "working", part: { portion: 50, goal: null } }]);
    world.faulty.setDown(false);
    await runFor(16);
    expect(await held()).toBe(left(50n));
    expect(await exits()).toMatchObject([{ state: "done" }]);
  });

  it("becomes the whole when a closing of the whole comes while it goes on", async () => {
    await closeBy(50);
    world.faulty.setDown(true);
    await world.fire("close long");
    await world.run();
    await closeBy(100);
    await world.fire("close long");
    await runFor(2);
    expect((await world.story()).slice(1)).toEqual([
      "CLOSE_LONG planned",
      "CLOSE_LONG denied joined_exit",
    ]);
    world.faulty.setDown(false);
    await runFor(16);
    expect((await world.account()).positions).toEqual([]);
  });

  it("does not join another part: each closes its own, one after the other", async () => {
    await closeBy(50);
    world.faulty.setDown(true);
    await world.fire("close long");
    await world.run();
    await world.fire("close long");
    await runFor(2);
    world.faulty.setDown(false);
    await runFor(16);
    expect((await world.story()).slice(1)).toEqual(["CLOSE_LONG filled", "CLOSE_LONG filled"]);
    const after = left(50n);
    const second = after / 2n;
    expect(await held()).toBe(after - (second - (second % STEP)));
  });

  it("is refused where the part is below the venue's smallest order, and does not try again", async () => {
    await closeBy(99);
    await world.fire("close long");
    await world.run();
    const rest = await held();
    await closeBy(20);
    await world.fire("close long");
    await world.run();
    await runFor(5);
    expect((await world.story()).slice(1)).toEqual([
      "CLOSE_LONG filled",
      "CLOSE_LONG denied below_minimum",
    ]);
    expect(await held()).toBe(rest);
    expect(await exits()).toEqual([]);
  });
});
