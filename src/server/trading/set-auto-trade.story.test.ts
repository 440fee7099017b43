import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { expectBooked } from "../../../test/expect-booked.ts";
import { openLong, tradeElsewhere } from "../../../test/open-long.ts";
import { createTradingWorld, type TradingWorld, withOneNode } from "../../../test/trading-world.ts";
import { SLOT_MS } from "../../practice/slots.ts";
import { type Chain, ChainUnavailableError } from "../../solana/chain.ts";
import { createDriftVenue } from "../../venues/drift/drift-venue.ts";
import { deriveUser } from "../../venues/drift/pdas.ts";
import { DRIFT_V2_INSTANCE } from "../../venues/drift/instance.ts";
import { findAgent } from "../store/agents/agents.ts";
import { endExitsForOwner, setAutoTrade } from "./intake.ts";
import { createPipeline } from "./pipeline.ts";
import type { TradingDeps } from "./orders/order-context.ts";
import { changeExchange } from "../../../test/practice-operator.ts";

let world: TradingWorld;

beforeEach(async () => {
  world = await createTradingWorld();
});

afterEach(async () => {
  await expectBooked(world);
  await world.database.drop();
});

const autoTrade = async () => (await world.agent()).autoTrade;

const closedByStop = async () => (await findAgent(world.database.db, world.agentId))?.closedByStop;

const counters = async () =>
  (await world.database.db.selectFrom("rule_conditions").select("count").execute()).map(
    (row) => row.count,
  );

describe("turning on", () => {
  it("is refused to an agent that is being deleted", async () => {
    await world.turn("off");
    await world.database.db.updateTable("multisigs").set({ status: "deleting" }).execute();
    await expect(world.turn("on")).rejects.toMatchObject({ code: "being_deleted" });
    expect(await autoTrade()).toBe("off");
  });
});

describe("turning off", () => {
  it("is done at once when nothing is open", async () => {
    await world.turn("off");
    expect(await autoTrade()).toBe("off");
    expect(await closedByStop()).toBe(false);
    expect(await world.orders()).toEqual([]);
    await world.turn("off");
    expect(await autoTrade()).toBe("off");
  });

  it("stops entries, closes open positions, and is complete once flat", async () => {
    await world.fire("long");
    await world.run();
    world.clock.advance(1_000);
    await world.fire("short");
    await world.turn("off");
    expect(await autoTrade()).toBe("stopping");
    expect(await world.fire("long")).toEqual({ kind: "ignored", reason: "trading_off" });
    await world.run();
    expect(await autoTrade()).toBe("off");
    expect(await world.story()).toEqual([
      "OPEN_LONG filled",
      "OPEN_SHORT denied stopping",
      "CLOSE_LONG filled",
    ]);
    expect((await world.account()).positions).toEqual([]);
    expect(await closedByStop()).toBe(true);
    await world.turn("on");
    expect(await closedByStop()).toBe(false);
    world.clock.advance(1_000);
    await world.turn("off");
    expect([await autoTrade(), await closedByStop()]).toEqual(["off", false]);
  });

  it("does not count an earlier closing as its own", async () => {
    await world.fire("long");
    await world.run();
    world.clock.advance(1_000);
    await world.fire("close long");
    await world.run();
    world.clock.advance(1_000);
    await world.turn("off");
    expect(await world.story()).toEqual(["OPEN_LONG filled", "CLOSE_LONG filled"]);
    expect([await autoTrade(), await closedByStop()]).toEqual(["off", false]);
  });

  it("counts a closing by an order that was sent before it", async () => {
    await world.fire("long");
    await world.run();
    world.clock.advance(1_000);
    world.faulty.script(() => "drop");
    await world.fire("short");
    await world.run();
    world.clock.advance(1_000);
    await world.turn("off");
    expect([await autoTrade(), await closedByStop()]).toEqual(["stopping", false]);
    world.faulty.script(() => undefined);
    await world.run();
    await world.run();
    expect((await world.account()).positions).toEqual([]);
    expect([await autoTrade(), await closedByStop()]).toEqual(["off", true]);
  });

  it("reports no closing when the owner kept the position", async () => {
    await world.fire("long");
    await world.run();
    world.clock.advance(1_000);
    await world.turn("off");
    await endExitsForOwner(world.webDeps, world.agentId, { wallet: world.owner.address });
    expect((await world.account()).positions).toHaveLength(1);
    expect([await autoTrade(), await closedByStop()]).toEqual(["off", false]);
  });

  it("stops an order that is being signed", async () => {
    await world.fire("long");
    world.beforeSigning(() => world.turn("off"));
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG denied stopping"]);
    expect((await world.account()).positions).toEqual([]);
    await world.turn("off");
    expect(await autoTrade()).toBe("off");
  });

  it("waits for an order that was already sent, then closes its position", async () => {
    world.faulty.script(() => "drop");
    await world.fire("long");
    await world.run();
    await world.turn("off");
    expect(await autoTrade()).toBe("stopping");
    world.faulty.script(() => undefined);
    await world.run();
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG filled", "CLOSE_LONG filled"]);
    expect(await autoTrade()).toBe("off");
  });

  it("remains in progress when the positions cannot be read, and continues on a new request", async () => {
    await world.fire("long");
    await world.run();
    world.clock.advance(1_000);
    world.faulty.setDown(true);
    await world.turn("off");
    expect(await autoTrade()).toBe("stopping");
    world.faulty.setDown(false);
    await world.turn("off");
    await world.run();
    expect(await autoTrade()).toBe("off");
  });

  it("continues by itself after a failed closing", async () => {
    await world.fire("long");
    await world.run();
    world.clock.advance(1_000);
    world.faulty.script(() => "drop");
    await world.turn("off");
    await world.run();
    world.clock.advance(100_000);
    expect(await world.run()).toBe("waiting");
    expect(await world.story()).toEqual(["OPEN_LONG filled", "CLOSE_LONG expired expired"]);
    expect(await autoTrade()).toBe("stopping");
    world.faulty.script(() => undefined);
    world.clock.advance(1_000);
    await world.run();
    expect((await world.story()).at(-1)).toBe("CLOSE_LONG filled");
    expect(await autoTrade()).toBe("off");
  });
});

describe("turning off while the chain cannot be read", () => {
  /** The same server with this in front of the chain. */
  const serverOn = (chain: Chain): TradingDeps => {
    const runtime = world.deps.networks.get("practice");
    if (runtime === undefined) throw new Error("No practice network");
    const venue = createDriftVenue({ chain, instance: DRIFT_V2_INSTANCE, clock: world.clock });
    const venues = new Map([[venue.id, venue]]);
    return { ...world.deps, networks: new Map([["practice", { ...runtime, chain, venues }]]) };
  };

  it("closes open positions once the chain can be read, at any age of the closing", async () => {
    await world.fire("long");
    await world.run();
    world.clock.advance(1_000);
    await world.turn("off");
    world.faulty.setDown(true);
    expect(await world.run()).toBe("waiting");
    world.clock.advance(600_000);
    world.faulty.setDown(false);
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG filled", "CLOSE_LONG filled"]);
    expect(await autoTrade()).toBe("off");
  });

  it("continues by itself when no order is left", async () => {
    await world.fire("long");
    await world.run();
    world.clock.advance(1_000);
    world.faulty.setDown(true);
    await world.turn("off");
    let reads = 0;
    const counting: Chain = {
      ...world.faulty,
      accounts(...asked) {
        reads += 1;
        return world.faulty.accounts(...asked);
      },
    };
    const pipeline = createPipeline({
      ...serverOn(counting),
      alertDatabase: world.database,
      hints: { notify() {}, subscribe: () => () => {} },
      worker: "here",
    });
    pipeline.start();
    // The first look and all the quick ones
    await expect.poll(() => reads).toBeGreaterThan(8);
    world.faulty.setDown(false);
    const laterAutoTrade = () => {
      world.clock.advance(SLOT_MS);
      return autoTrade();
    };
    await expect.poll(laterAutoTrade).toBe("off");
    await pipeline.stop();
    expect(await world.story()).toEqual(["OPEN_LONG filled", "CLOSE_LONG filled"]);
  });

  it("does not believe a node that has not seen the newest purchase", async () => {
    await changeExchange(world.chain, { minPerpAuctionDuration: 0 });
    const user = deriveUser(DRIFT_V2_INSTANCE, world.keys.of(world.agentId).vault, 0);
    await world.faulty.setStale([user]);
    world.clock.advance(SLOT_MS);
    await world.fire("long");
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG filled"]);
    await world.turn("off");
    expect(await autoTrade()).toBe("stopping");
    expect(world.problems).toMatchObject([{ err: expect.any(ChainUnavailableError) }]);
    await world.faulty.setStale(false);
    await world.turn("off");
    await world.run();
    expect(await autoTrade()).toBe("off");
    expect((await world.account()).positions).toEqual([]);
  });
});

describe("turning off after a trade that was not made here", () => {
  const turnOff = () =>
    setAutoTrade(
      { ...world.webDeps, networks: withOneNode(world), wake: () => {} },
      world.agentId,
      { wallet: world.owner.address },
      "off",
    );
  const run = () => world.run("test", { ...world.deps, networks: withOneNode(world) });

  it("closes what was opened elsewhere", async () => {
    await openLong(world);
    await turnOff();
    expect(await autoTrade()).toBe("stopping");
    await run();
    expect((await world.account()).positions).toEqual([]);
  });

  it("says that it is stopping while nobody confirms that the position is gone", async () => {
    await world.fire("long");
    await run();
    const [held] = (await world.account()).positions;
    if (held === undefined) throw new Error("Nothing was opened");
    await tradeElsewhere(world, { side: "short", baseSize: held.baseSize, reduceOnly: true });
    expect((await world.account()).positions).toEqual([]);
    await turnOff();
    expect(await autoTrade()).toBe("stopping");
    world.clock.advance(40 * SLOT_MS);
    await run();
    world.clock.advance(40 * SLOT_MS);
    await run();
    expect(await autoTrade()).toBe("off");
  });
});

describe("turning on", () => {
  it("starts counting from zero", async () => {
    await world.database.db.updateTable("rule_conditions").set({ required_count: 3 }).execute();
    await world.fire("long");
    expect(await counters()).toContain(1);
    await world.turn("on");
    expect(await counters()).toContain(1);
    await world.turn("off");
    await world.turn("on");
    expect(await counters()).not.toContain(1);
    expect(await autoTrade()).toBe("on");
  });

  it("requires a trading account, and an agent that has stopped", async () => {
    await world.fire("long");
    await world.run();
    world.clock.advance(1_000);
    await world.turn("off");
    await expect(world.turn("on")).rejects.toMatchObject({ code: "conflict" });
    await world.run();
    await world.database.db.updateTable("agents").set({ sub_account_id: null }).execute();
    await expect(world.turn("on")).rejects.toMatchObject({ code: "no_agent_found" });
    expect(await autoTrade()).toBe("off");
  });
});
