import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { expectBooked } from "../../../test/expect-booked.ts";
import { useTradingWorld } from "../../../test/trading-world.ts";
import { endExitsForOwner, closePositionForOwner } from "./intake.ts";
import { setExchangePaused } from "../../../test/practice-operator.ts";

const world = useTradingWorld();

beforeEach(async () => {
  await world.fire("long");
  await world.run();
  world.clock.advance(1_000);
});

afterEach(() => expectBooked(world));

const close = (requestId: string, side: "long" | "short" = "long", portion?: number) =>
  closePositionForOwner(
    world.webDeps,
    world.agentId,
    { wallet: world.owner.address },
    {
      side,
      requestId,
      portion,
    },
  );

const exits = () => world.database.db.selectFrom("exits").selectAll().orderBy("asked_at").execute();

const runFor = async (seconds: number) => {
  for (let second = 0; second < seconds; second += 1) {
    world.clock.advance(1_000);
    await world.run();
  }
};

const positions = async () => (await world.account()).positions;

describe("an owner who closes the position", () => {
  it("leaves the agent on, which enters again at its next signal", async () => {
    world.notices.length = 0;
    await close("click-1");
    expect(world.notices).toContainEqual({ topic: "agent", id: world.agentId });
    await world.run();
    expect(await positions()).toEqual([]);
    expect((await world.agent()).autoTrade).toBe("on");
    world.clock.advance(1_000);
    await world.fire("long");
    await world.run();
    expect(await world.story()).toEqual([
      "OPEN_LONG filled",
      "CLOSE_LONG filled",
      "OPEN_LONG filled",
    ]);
    expect(await positions()).toHaveLength(1);
  });

  it("closes once however often one click arrives, also after a new entry", async () => {
    await Promise.all([close("click-1"), close("click-1"), close("click-2")]);
    await world.run();
    world.clock.advance(1_000);
    await world.fire("long");
    await world.run();
    await close("click-1");
    await runFor(2);
    expect(await positions()).toHaveLength(1);
    expect(await exits()).toHaveLength(1);
  });

  it("closes a part once however often the click arrives, and then the rest", async () => {
    const [before] = await positions();
    await close("click-1", "long", 50);
    await runFor(2);
    const [half] = await positions();
    expect(half?.baseSize).toBe((before?.baseSize ?? 0n) - (before?.baseSize ?? 0n) / 2n);
    expect((await world.agent()).autoTrade).toBe("on");
    await close("click-1", "long", 50);
    await runFor(2);
    expect((await positions())[0]?.baseSize).toBe(half?.baseSize);
    await close("click-2", "long");
    await runFor(2);
    expect(await positions()).toEqual([]);
    expect(await exits()).toMatchObject([{ state: "done" }, { state: "done" }]);
  });

  it("makes a part the whole on request, and refuses another part meanwhile", async () => {
    world.faulty.setDown(true);
    await close("click-1", "long", 25);
    await world.run();
    await expect(close("click-2", "long", 50)).rejects.toMatchObject({ code: "conflict" });
    await close("click-3", "long");
    world.faulty.setDown(false);
    await runFor(20);
    expect(await positions()).toEqual([]);
  });

  it("never closes the other side", async () => {
    await close("click-1", "short");
    await world.run();
    expect(await positions()).toMatchObject([{ side: "long" }]);
    expect((await world.story()).at(-1)).toBe("CLOSE_SHORT denied nothing_to_close");
    expect(await exits()).toMatchObject([{ state: "done" }]);
  });

  it("is heard while no node answers, and closed when one does", async () => {
    world.faulty.setDown(true);
    await close("click-1");
    await world.run();
    await runFor(3);
    expect(await exits()).toMatchObject([{ state: "working", asked_by: "owner" }]);
    world.faulty.setDown(false);
    await runFor(20);
    expect(await positions()).toEqual([]);
    expect((await world.agent()).autoTrade).toBe("on");
  });

  it("joins the exit that an alert began", async () => {
    await setExchangePaused(world.chain, true);
    await world.fire("close long");
    await world.run();
    await close("click-1");
    expect(await exits()).toMatchObject([{ asked_by: "alert", state: "working" }]);
    await expect(close("click-2", "short")).rejects.toMatchObject({
      code: "conflict",
      message: "The agent is closing a long position. Wait until it is closed.",
    });
    await setExchangePaused(world.chain, false);
    await runFor(16);
    expect(await positions()).toEqual([]);
  });

  it("makes an exit of a part one of the whole", async () => {
    await world.database.db
      .updateTable("rules")
      .set({ portion: 50 })
      .where("action", "=", "CLOSE_LONG")
      .execute();
    world.faulty.setDown(true);
    await world.fire("close long");
    await world.run();
    expect(await exits()).toMatchObject([{ part: { portion: 50 } }]);
    await close("click-1");
    expect(await exits()).toMatchObject([{ part: null, request_id: "click-1" }]);
    world.faulty.setDown(false);
    await runFor(16);
    expect(await positions()).toEqual([]);
    world.clock.advance(1_000);
    await world.fire("long");
    await world.run();
    await close("click-1");
    await runFor(2);
    expect(await positions()).toHaveLength(1);
  });

  it("closes a position that was kept when the agent was turned off", async () => {
    world.limitTo("halted");
    await world.turn("off");
    await endExitsForOwner(world.webDeps, world.agentId, { wallet: world.owner.address });
    world.limitTo("active");
    await close("click-1");
    await runFor(2);
    expect(await positions()).toEqual([]);
    expect((await world.agent()).autoTrade).toBe("off");
  });

  it("is recorded with the wallet that asked", async () => {
    await close("click-1");
    const audit = await world.database.db
      .selectFrom("audit_log")
      .select(["wallet", "action", "detail"])
      .where("action", "=", "position_closed_by_owner")
      .execute();
    expect(audit).toEqual([
      {
        wallet: world.owner.address,
        action: "position_closed_by_owner",
        detail: { marketId: "SOL-PERP", side: "long" },
      },
    ]);
    await world.run();
  });
});
