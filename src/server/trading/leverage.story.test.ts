import { beforeEach, describe, expect, it } from "vitest";
import { savePlan } from "../../../test/save-plan.ts";
import { STOP, useStoppedWorld } from "../../../test/stopped-world.ts";
import { countPlanEnds } from "../store/ledger/performance.ts";

const { world, rests, setPrice, watch, price, keepersWork, held, row } = useStoppedWorld();

const LEVERAGE = 3;

/** Enters once, and ages what was read of it. */
async function enter(alert: "long" | "short" = "long"): Promise<void> {
  await world.fire(alert);
  await world.run();
  world.clock.advance(1_000);
}

describe("an agent with leverage", () => {
  beforeEach(() => savePlan(world, STOP, { leverage: LEVERAGE }));

  it("enters nothing until its owner has allowed it at the exchange, and then three times its money", async () => {
    await enter();
    expect(await world.story()).toEqual(["OPEN_LONG denied leverage_missing"]);
    expect(await world.custody.summariseAccess(world.agentId)).toMatchObject({
      leverageAllowed: 1,
    });
    expect(await world.approve(await world.prepare("update-limits"))).toMatchObject({
      state: "confirmed",
      label: "Allow orders with leverage 3",
    });
    expect(await world.custody.summariseAccess(world.agentId)).toMatchObject({
      leverageAllowed: LEVERAGE,
    });
    await expect(world.prepare("update-limits")).rejects.toThrow("Nothing is left to sign");

    await enter();
    const { positions, portfolioValue, withdrawable } = await world.account();
    const [{ positionValue, liquidationPrice } = { positionValue: 0n }] = positions;
    const times = Number(positionValue) / Number(portfolioValue);
    expect(times).toBeGreaterThan(2.9);
    expect(times).toBeLessThan(3.02);
    // A quarter of the position is margin that cannot leave
    expect(withdrawable).toBeLessThan(portfolioValue - positionValue / 4n + 1n);
    expect(liquidationPrice).toBeLessThan((await rests())[0]?.triggerPrice ?? 0n);
  });

  describe("that may", () => {
    beforeEach(async () => {
      await world.approve(await world.prepare("update-limits"));
    });

    it.each(["long", "short"] as const)(
      "has a stop of the whole %s position, which closes it",
      async (side) => {
        await enter(side);
        const size = await held();
        expect(await rests()).toMatchObject([{ key: "stop", baseSize: size }]);
        setPrice(side === "long" ? 96.5 : 103.5);
        await keepersWork();
        await watch();
        await world.run();
        expect(await held()).toBe(0n);
        const word = side.toUpperCase();
        expect(await world.story()).toEqual([`OPEN_${word} filled`, `CLOSE_${word} filled`]);
        expect((await world.orders()).at(-1)?.baseSize).toBe(size);
        const span = { fromMs: 0, toMs: world.clock.now() + 1 };
        expect(await countPlanEnds(world.database.db, world.agentId, span)).toEqual([
          { by: "stop", count: 1 },
        ]);
      },
    );

    it("is closed by its rule, and enters again", async () => {
      await enter();
      await world.fire("close long");
      await world.run();
      expect(await held()).toBe(0n);
      expect(await rests()).toEqual([]);
      expect(await row()).toBeNull();
      world.clock.advance(61_000);
      await enter();
      expect(await held()).toBeGreaterThan(0n);
      expect((await world.story()).at(-1)).toBe("OPEN_LONG filled");
    });

    it("is closed by turning it off, and under a halt keeps its stop", async () => {
      await enter();
      world.limitTo("halted");
      await price(99);
      expect(await rests()).toHaveLength(1);
      world.limitTo("active");
      await world.turn("off");
      await world.run();
      expect(await held()).toBe(0n);
      expect(await rests()).toEqual([]);
      expect(await world.account()).toMatchObject({ positions: [] });
      const { withdrawable, portfolioValue } = await world.account();
      expect(withdrawable).toBe(portfolioValue);
    });

    it("opens nothing beyond what its owner signed", async () => {
      const { db } = world.database;
      // Somebody with the database raises it, and the exchange would take it
      await db.updateTable("agents").set({ leverage: 5 }).execute();
      await world.approve(await world.prepare("update-limits"));
      await enter();
      expect(await held()).toBe(0n);
      expect(await world.story()).toEqual(["OPEN_LONG denied signing_refused"]);
      expect(world.problems.splice(0)).toMatchObject([
        { err: { message: expect.stringContaining("the owner has not signed its leverage") } },
      ]);
    });
  });
});
