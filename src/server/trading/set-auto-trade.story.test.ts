import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTradingWorld, type TradingWorld } from "../../../test/trading-world.ts";

let world: TradingWorld;

beforeEach(async () => {
  world = await createTradingWorld();
});

afterEach(async () => {
  await world.database.drop();
});

const autoTrade = async () => (await world.agent()).autoTrade;

const counters = async () =>
  (await world.database.db.selectFrom("rule_conditions").select("count").execute()).map(
    (row) => row.count,
  );

describe("turning off", () => {
  it("is done at once when nothing is open", async () => {
    await world.turn("off");
    expect(await autoTrade()).toBe("off");
    expect(await world.orders()).toEqual([]);
    await world.turn("off");
    expect(await autoTrade()).toBe("off");
  });

  it("stops new exposure, closes what is open, and is off when that is done", async () => {
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
  });

  it("wins against an order that is being signed", async () => {
    await world.fire("long");
    world.beforeSigning(() => world.turn("off"));
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG denied stopping"]);
    expect((await world.account()).positions).toEqual([]);
    await world.turn("off");
    expect(await autoTrade()).toBe("off");
  });

  it("waits for an order that was already sent, then closes what it opened", async () => {
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

  it("stays stopping when the positions cannot be read, and goes on when asked again", async () => {
    await world.fire("long");
    await world.run();
    world.clock.advance(1_000);
    world.faulty.setDown(true);
    await expect(world.turn("off")).rejects.toMatchObject({
      code: "auto_trade_disable_failed",
      message: expect.stringMatching(/^Failed to disable auto-trade: .*Auto-trade remains on\.$/),
    });
    expect(await autoTrade()).toBe("stopping");
    world.faulty.setDown(false);
    await world.turn("off");
    await world.run();
    expect(await autoTrade()).toBe("off");
  });

  it("stays stopping after a closing that failed and closes on the next call", async () => {
    await world.fire("long");
    await world.run();
    world.clock.advance(1_000);
    world.faulty.script(() => "drop");
    await world.turn("off");
    await world.run();
    world.clock.advance(100_000);
    expect(await world.run()).toBe("empty");
    expect(await world.story()).toEqual(["OPEN_LONG filled", "CLOSE_LONG expired expired"]);
    expect(await autoTrade()).toBe("stopping");
    world.faulty.script(() => undefined);
    await world.turn("off");
    await world.run();
    expect((await world.story()).at(-1)).toBe("CLOSE_LONG filled");
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

  it("needs a trading account, and an agent that has stopped", async () => {
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
