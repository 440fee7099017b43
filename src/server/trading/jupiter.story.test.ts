import { afterEach, describe, expect, it } from "vitest";
import { inOrder } from "../../../test/faults.ts";
import { withRecordedFigures } from "../positions/recorded-figures.ts";
import { expectBooked } from "../../../test/expect-booked.ts";
import { inheritTerms } from "../../../test/inherit-terms.ts";
import { createTradingWorld, type TradingWorld } from "../../../test/trading-world.ts";

/** From deposit to order: 500 USDC less the reserve of 0.5 % and the 0.1 % kept back for fees. */
const ENTRY = 497_000_000n;

describe("an agent on Jupiter", () => {
  let world: TradingWorld;
  afterEach(async () => {
    await expectBooked(world);
    await world.database.drop();
  });

  it("buys on one alert and sells on the next, each in one transaction of the trading key", async () => {
    world = await createTradingWorld("jupiter");
    await world.fire("long");
    expect(await world.run()).toBe("empty");
    expect(await world.story()).toEqual(["OPEN_LONG filled"]);
    const [bought] = await world.orders();
    expect(bought).toMatchObject({ status: "success", side: "buy", percentage: 100 });
    expect(bought?.total).toBeGreaterThan(ENTRY - 10n);
    expect(bought?.total).toBeLessThanOrEqual(ENTRY);

    const held = await world.account();
    expect(held.positions).toMatchObject([
      { marketId: "SOL", side: "long", baseSize: bought?.baseSize },
    ]);
    expect(held.withdrawable).toBe(500_000_000n - (bought?.total ?? 0n));

    await world.fire("close long");
    expect(await world.run()).toBe("empty");
    expect(await world.story()).toEqual(["OPEN_LONG filled", "CLOSE_LONG filled"]);
    const sold = (await world.orders())[1];
    expect(sold).toMatchObject({ status: "success", side: "sell", baseSize: bought?.baseSize });
    expect((await world.account()).positions).toEqual([]);
    expect(await world.landed()).toHaveLength(2);
    expect(world.problems).toEqual([]);
  });

  it("refuses shorts, a second long and a sale without a holding, and sends nothing", async () => {
    world = await createTradingWorld("jupiter");
    await world.fire("short");
    await world.fire("close long");
    await world.fire("long");
    await world.fire("long");
    await world.run();
    expect(await world.story()).toEqual([
      "OPEN_SHORT denied spot_only",
      "CLOSE_LONG denied nothing_to_close",
      "OPEN_LONG filled",
      "OPEN_LONG denied already_long",
    ]);
    expect(await world.landed()).toHaveLength(1);
  });

  it("sells its holding when it is turned off", async () => {
    world = await createTradingWorld("jupiter");
    await world.fire("long");
    await world.run();
    await world.turn("off");
    await world.run();
    expect((await world.account()).positions).toEqual([]);
    expect((await world.agent()).autoTrade).toBe("off");
    expect((await world.story()).at(-1)).toBe("CLOSE_LONG filled");
  });

  it("computes cost and deposits from its own records", async () => {
    world = await createTradingWorld("jupiter");
    await world.fire("long");
    await world.run();
    const venue = world.deps.networks.get("practice")?.venues.get("jupiter");
    if (venue === undefined) throw new Error("No Jupiter on practice");
    const [bought] = await world.orders();
    const figures = async () =>
      withRecordedFigures(world.deps.db, venue, world.agentId, await world.account());
    world.setPrice(170_000_000n);
    const risen = await figures();
    const [position] = risen.positions;
    expect(risen.netDeposits).toBe(500_000_000n);
    expect(position?.entryPrice).toBeGreaterThan(155_000_000n);
    expect(position?.entryPrice).toBeLessThan(155_200_000n);
    expect(position?.unrealizedPnl).toBe((position?.positionValue ?? 0n) - (bought?.total ?? 0n));

    await world.fire("close long");
    await world.run();
    world.setPrice(155_000_000n);
    await world.fire("long");
    await world.run();
    const anew = (await figures()).positions[0];
    expect(anew?.entryPrice).toBeLessThan(155_200_000n);
  });

  it("treats a withdrawn asset neither as a loss nor as part of the next entry price", async () => {
    world = await createTradingWorld("jupiter");
    const venue = world.deps.networks.get("practice")?.venues.get("jupiter");
    if (venue === undefined) throw new Error("No Jupiter on practice");
    const setAutoTrade = (to: "on" | "off") =>
      world.database.db.updateTable("agents").set({ auto_trade: to }).execute();
    await world.fire("long");
    await world.run();
    world.clock.advance(1_000);
    await setAutoTrade("off");
    await world.approve(await world.prepare("move-assets"));
    await world.approve(await world.prepare("deposit", "400"));
    expect((await world.account()).positions).toEqual([]);
    world.clock.advance(1_000);
    world.setPrice(200_000_000n);
    await setAutoTrade("on");
    await inheritTerms(world.database.db);
    await world.fire("long");
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG filled", "OPEN_LONG filled"]);
    const state = await world.account();
    const figures = await withRecordedFigures(world.deps.db, venue, world.agentId, state);
    const [position] = figures.positions;
    expect(position?.entryPrice).toBeGreaterThanOrEqual(200_000_000n);
    expect(position?.entryPrice).toBeLessThan(200_300_000n);
  });

  it("may only reduce after a loss of a tenth of its portfolio in a day", async () => {
    world = await createTradingWorld("jupiter");
    await world.fire("long");
    await world.run();
    world.setPrice(138_000_000n);
    await world.fire("close long");
    await world.run();
    await world.fire("long");
    await world.run();
    expect((await world.story()).at(-1)).toBe("OPEN_LONG denied loss_limit");
  });

  it("finds one trade after the answer to a send was lost", async () => {
    world = await createTradingWorld("jupiter");
    world.faulty.script(inOrder("lose-answer"));
    await world.fire("long");
    await world.run();
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG filled"]);
    expect(await world.landed()).toHaveLength(1);
  });
});
