import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { expectBooked } from "../../../test/expect-booked.ts";
import { savePlan } from "../../../test/save-plan.ts";
import { percent, STOP, useStoppedWorld } from "../../../test/stopped-world.ts";
import { DRIFT_V2_INSTANCE } from "../../venues/drift/instance.ts";
import type { Venue } from "../../venues/ports.ts";
import type { NetworkRuntime } from "../networks.ts";
import { cancelOrders } from "../../venues/drift/instructions.ts";
import { createCustodyGuard } from "../custody/custody-guard.ts";
import { readShownPlan } from "../positions/present-position.ts";
import { createReconciler } from "../reconcile/reconciler.ts";
import { sumTradedBase } from "../store/custody/custody-notices.ts";
import { countPlanEnds } from "../store/ledger/performance.ts";
import { readClosedPnls } from "../store/orders/closed-profits.ts";
import { streamTrades } from "../store/ledger/ledger-export.ts";
import { listTradeLogOf } from "../store/trade-log/trade-log.ts";
import { endExitsForOwner } from "./intake.ts";
import { endAllLaneLeases } from "../store/lanes/lanes.ts";
import { runLane } from "./lanes/lane.ts";
import { setExchangePaused } from "../../../test/practice-operator.ts";

const {
  world,
  rests,
  setPrice,
  watch,
  keep,
  open,
  price,
  passAuction,
  keepersWork,
  runUntil,
  closeByHand,
  sendByHand,
  prices,
  held,
  row,
  exits,
} = useStoppedWorld();
/** Cancels what rests with the trading key, outside this product. */
const cancelByHand = () =>
  sendByHand((user, by, markets) => cancelOrders(DRIFT_V2_INSTANCE, user, by, markets));
const tick = (units: bigint) => units - (units % 100n);
const below = (units: bigint, bps: bigint) => units - (units * bps) / 10_000n;
const entry = async () => (await row())?.position?.averageEntry ?? 0n;

describe("the stop of a position on the perpetuals exchange", () => {
  it("rests there in the lane's turn of the entry, of the position's size, against it", async () => {
    await open();
    const [stop, ...others] = await rests();
    expect(others).toEqual([]);
    expect(stop).toMatchObject({
      key: "stop",
      side: "short",
      triggersWhen: "below",
      baseSize: await held(),
      isOurs: true,
    });
    const level = below(await entry(), 300n);
    expect((stop?.triggerPrice ?? 0n) - level).toBeLessThan(100n);
    expect(await row()).toMatchObject({
      protection: { sent: null, restsAt: stop?.triggerPrice, missingSinceMs: null },
    });
    expect((await row())?.dueAtMs).toBeGreaterThan(world.clock.now());
  });

  it("closes while no server runs, and is told as the plan's stop afterwards", async () => {
    await open();
    const size = await held();
    // Nothing of ours runs from here
    setPrice(96.5);
    world.clock.advance(3_600_000);
    await keepersWork();
    expect(await held()).toBe(0n);
    expect(await world.story()).toEqual(["OPEN_LONG filled"]);
    // The server is back
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG filled", "CLOSE_LONG filled"]);
    expect((await world.orders()).at(-1)).toMatchObject({ baseSize: size, side: "sell" });
    const { chatId } = await world.agent();
    const log = await listTradeLogOf(world.database.db, {
      chatId,
      filter: "all",
      before: null,
      limit: 9,
    });
    expect(log.map(({ plan_act }) => plan_act)).toEqual(["stop", null]);
    const span = { fromMs: 0, toMs: world.clock.now() + 1 };
    expect(await countPlanEnds(world.database.db, world.agentId, span)).toEqual([
      { by: "stop", count: 1 },
    ]);
    expect(await exits()).toEqual([]);
    expect(await row()).toBeNull();
  });

  it("of a short rests above it and closes it", async () => {
    await open(STOP, "short");
    expect(await rests()).toMatchObject([{ side: "long", triggersWhen: "above" }]);
    setPrice(104);
    await keepersWork();
    await watch();
    await world.run();
    expect(await world.story()).toEqual(["OPEN_SHORT filled", "CLOSE_SHORT filled"]);
    expect(await held()).toBe(0n);
  });

  it("is followed by the lane once it is triggered, and filled by ourselves where no keeper does", async () => {
    await open();
    setPrice(96.5);
    await keep();
    world.clock.advance(5_000);
    await watch();
    expect(typeof (await runLane(world.deps, world.agentId, "test"))).toBe("object");
    expect((await world.story()).at(-1)).toBe("CLOSE_LONG resting resting");
    // Neither the watch nor another alert begins an exit of its own meanwhile
    world.clock.advance(16_000);
    await watch();
    await world.run();
    expect((await world.story()).slice(1)).toEqual(["CLOSE_LONG filled"]);
    expect(
      await world.database.db
        .selectFrom("order_transactions")
        .select(["purpose", "ended"])
        .execute(),
    ).toContainEqual({ purpose: "fill", ended: "landed" });
    expect(await held()).toBe(0n);
    expect(await exits()).toEqual([]);
  });

  it("that nobody triggers is closed by the server after a while, which cancels it", async () => {
    await open();
    await price(96.5);
    expect(await held()).toBeGreaterThan(0n);
    expect(await exits()).toEqual([]);
    world.clock.advance(10_000);
    await price(96.5);
    expect(await held()).toBe(0n);
    expect(await exits()).toEqual([{ asked_by: "plan", plan_end: "stop", state: "done" }]);
    expect(await rests()).toEqual([]);
    await keepersWork();
    expect(await held()).toBe(0n);
  });

  it("that is jumped over becomes an exit that goes on until flat", async () => {
    await open();
    setPrice(85);
    await keep();
    await world.run();
    passAuction();
    await keep();
    await world.run();
    expect(await held()).toBeGreaterThan(0n);
    await runUntil(async () => (await held()) === 0n);
    expect(await held()).toBe(0n);
    expect(await exits()).toEqual([{ asked_by: "plan", plan_end: "stop", state: "done" }]);
    expect(await rests()).toEqual([]);
  });

  it("grows with the position, and shrinks with a part that is closed", async () => {
    await savePlan(
      world,
      {
        ...STOP,
        adds: { on: { kind: "signal" }, times: 1, sizePercent: 50 },
        targets: [{ at: percent(200), closePercent: 50 }],
        maxPositionPercent: 80,
      },
      { position_size_percent: 20 },
    );
    await world.fire("long");
    await world.run();
    const first = await held();
    world.clock.advance(60_000);
    await world.fire("long");
    await world.run();
    expect(await held()).toBeGreaterThan(first);
    expect(await rests()).toMatchObject([{ baseSize: await held() }]);
    world.clock.advance(1_000);
    const grown = await held();
    await price(104);
    expect(await held()).toBeLessThan(grown);
    expect(await rests()).toMatchObject([{ key: "stop", baseSize: await held() }]);
  });

  it("follows the best price by changing in place", async () => {
    await open({
      stop: { at: percent(300), trail: { afterBps: 400, by: percent(200), stepBps: 25 } },
    });
    const [before = 0n] = await prices();
    await price(110);
    const [after = 0n] = await prices();
    const moved = (await row())?.position?.stopPrice ?? 0n;
    expect(after).toBeGreaterThan(before);
    expect(after - tick(moved)).toBeLessThanOrEqual(100n);
    setPrice(107);
    await keepersWork();
    await watch();
    await world.run();
    expect((await world.orders()).at(-1)).toMatchObject({ signal: "CLOSE_LONG", state: "filled" });
    const span = { fromMs: 0, toMs: world.clock.now() + 1 };
    expect(await countPlanEnds(world.database.db, world.agentId, span)).toEqual([
      { by: "trail", count: 1 },
    ]);
  });

  it("is gone with the plan, and there again with the next", async () => {
    await open();
    await savePlan(world, null);
    await world.run();
    expect(await rests()).toEqual([]);
    expect(await row()).toBeNull();
    await savePlan(world, STOP);
    await world.run();
    expect(await rests()).toHaveLength(1);
    await savePlan(world, { stop: { at: percent(500) } });
    await world.run();
    const [moved = 0n] = await prices();
    expect(moved - below(await entry(), 500n)).toBeLessThan(100n);
  });

  it("is not taken away by a halt, and placed once trading goes on", async () => {
    await open();
    world.limitTo("halted");
    await savePlan(world, null);
    await world.run();
    expect(await rests()).toHaveLength(1);
    world.limitTo("active");
    world.clock.advance(5_000);
    await world.run();
    expect(await rests()).toEqual([]);
  });

  it("that somebody else takes away is placed again", async () => {
    await open();
    await cancelByHand();
    expect(await rests()).toEqual([]);
    world.clock.advance(60_000);
    await world.run();
    expect(await rests()).toMatchObject([{ key: "stop", baseSize: await held() }]);
    expect(await world.story()).toEqual(["OPEN_LONG filled"]);
  });

  it("is cancelled for an owner who keeps the position without the plan", async () => {
    await open();
    await world.turn("off");
    await endExitsForOwner(world.webDeps, world.agentId, { wallet: world.owner.address });
    await world.run();
    expect(await held()).toBeGreaterThan(0n);
    expect(await rests()).toEqual([]);
    expect(await row()).toBeNull();
  });

  it("leaves with the agent's own closing, its owner's, and auto-trade off", async () => {
    for (const close of [
      () => world.fire("close long"),
      () => closeByHand(),
      () => world.turn("off"),
    ]) {
      await open();
      expect(await rests()).toHaveLength(1);
      await close();
      await world.run();
      expect(await held()).toBe(0n);
      expect(await rests()).toEqual([]);
      world.clock.advance(60_000);
    }
  });
});

describe("what a keeper gets for the trigger of a stop", () => {
  const REWARD = 10_000n;

  /** Returns fees and results as the log, the file of trades and the book have them. */
  async function figures() {
    const { db } = world.database;
    const log = await db.selectFrom("trade_log").select(["id", "fee"]).orderBy("seq").execute();
    const closed = await readClosedPnls(
      db,
      world.agentId,
      log.map(({ id }) => id),
    );
    let exported = 0n;
    const range = { fromMs: 0, toMs: world.clock.now() + 1 };
    for await (const { fee } of streamTrades(db, { agentId: world.agentId }, range))
      exported += fee;
    const book = await db
      .selectFrom("ledger_entries")
      .select(["kind", "amount"])
      .where("kind", "in", ["trade", "fee"])
      .execute();
    const sum = (amounts: readonly (string | bigint | null)[]) =>
      amounts.reduce<bigint>((total, amount) => total + BigInt(amount ?? 0), 0n);
    const paid = book.filter(({ kind }) => kind === "fee").map(({ amount }) => amount);
    return {
      fees: log.map(({ fee }) => BigInt(fee ?? 0)),
      logged: sum(log.map(({ fee }) => fee)),
      exported,
      paid: -sum(paid),
      rewards: paid.filter((amount) => BigInt(amount) === -REWARD).length,
      results: sum([...closed.values()].map(({ pnl }) => pnl)),
      earned: sum(book.map(({ amount }) => amount)),
    };
  }

  /** Expects the same before and after the book has it. */
  async function expectPaid(): Promise<void> {
    expect(await held()).toBe(0n);
    const before = await figures();
    await expectBooked(world);
    const { logged, exported, paid, rewards, results, earned } = await figures();
    expect(rewards).toBe(1);
    expect({ logged, exported, results }).toEqual({
      logged: paid,
      exported: paid,
      results: earned,
    });
    expect({ logged: before.logged, results: before.results }).toEqual({ logged, results });
  }

  it("is in the fee and the result where a keeper fills it too", async () => {
    await open();
    setPrice(96.5);
    await keepersWork();
    await watch();
    await world.run();
    await expectPaid();
  });

  it("is in the fee and the result of a short's where it is filled by ourselves", async () => {
    await open(STOP, "short");
    setPrice(104);
    await keep();
    world.clock.advance(5_000);
    await watch();
    await world.run();
    world.clock.advance(16_000);
    await watch();
    await world.run();
    expect((await world.story()).at(-1)).toBe("CLOSE_SHORT filled");
    await expectPaid();
  });

  it("is in the fee of a stop that was jumped over and in the result of the exit", async () => {
    await open();
    setPrice(85);
    await keep();
    await world.run();
    passAuction();
    await keep();
    await world.run();
    await runUntil(async () => (await held()) === 0n);
    await world.run();
    await expectPaid();
    expect((await figures()).fees).toContain(REWARD);
  });
});

const compare = async () => {
  const deps = { ...world.deps, keys: world.keys };
  await createReconciler({
    ...deps,
    guard: createCustodyGuard(deps),
    onFailure(error) {
      throw error;
    },
  }).run();
  return (await world.custody.summariseAccess(world.agentId))?.notices ?? [];
};

describe("a stop that fired while no server ran", () => {
  /** A server with another exchange, or behind nodes. */
  function serverWith(
    change: (runtime: NetworkRuntime, exchange: Venue) => Partial<NetworkRuntime>,
  ) {
    const runtime = world.deps.networks.get("practice");
    const venue = runtime?.venues.get("drift");
    if (runtime === undefined || venue === undefined) throw new Error("No exchange");
    const networks = new Map([["practice", { ...runtime, ...change(runtime, venue) }] as const]);
    return { ...world.deps, networks };
  }
  const TOLD = ["OPEN_LONG filled", "CLOSE_LONG filled"];
  const fire = async () => {
    await open();
    setPrice(96.5);
    await keepersWork();
    // The server is back
    world.clock.advance(61_000);
  };
  const expectNextEntry = async () => {
    await world.fire("long");
    await world.run();
    expect((await world.story()).at(-1)).toBe("OPEN_LONG filled");
    expect(await rests()).toMatchObject([{ baseSize: await held() }]);
  };

  it("is told once while prices are watched, and the next entry is made", async () => {
    await fire();
    const server = serverWith((_, venue) => ({
      venues: new Map([
        [
          venue.id,
          {
            ...venue,
            async protectiveOrders(...asked) {
              await watch();
              return (await venue.protectiveOrders?.(...asked)) ?? [];
            },
          },
        ],
      ]),
    }));
    for (let second = 0; second < 30; second += 1) {
      await world.run("test", server);
      await watch();
      world.clock.advance(1_000);
    }
    await world.run();
    expect(await world.story()).toEqual(TOLD);
    expect(await exits()).toEqual([]);
    expect(await row()).toBeNull();
    await expectNextEntry();
  });

  it("holds up no lane where an earlier version told it and kept its position", async () => {
    await open();
    const { db } = world.database;
    const { rows } = await sql<{ kept: unknown }>`
      select to_jsonb(plan_positions) as kept from plan_positions`.execute(db);
    setPrice(96.5);
    await keepersWork();
    world.clock.advance(61_000);
    await world.run();
    expect(await world.story()).toEqual(TOLD);
    await sql`insert into plan_positions
      select * from jsonb_populate_record(null::plan_positions, ${JSON.stringify(rows[0]?.kept)}::jsonb)`.execute(
      db,
    );
    // Its lane finds the stop again, which is told already
    world.clock.advance(61_000);
    await world.run();
    expect(await world.story()).toEqual(TOLD);
    expect(await row()).toBeNull();
    await expectNextEntry();
  });

  it("is watched no more once the comparison with the chain has booked it", async () => {
    await fire();
    expect(await compare()).toEqual([]);
    for (let look = 0; look < 5; look += 1) {
      world.clock.advance(5_000);
      await watch();
    }
    expect(await exits()).toEqual([]);
    await world.run();
    expect(await world.story()).toEqual(TOLD);
    expect(await row()).toBeNull();
  });

  const behindNode = () => serverWith(() => ({ witnesses: { count: 1, askEach: async () => [] } }));

  it("is told without a doubt of the network's only node", async () => {
    await fire();
    await world.run("test", behindNode());
    expect(await world.story()).toEqual(TOLD);
    expect(await row()).toBeNull();
    expect(await compare()).toEqual([]);
  });

  it.each(["its plan's", "an alert's"])("is told in the turn that refuses %s exit", async (by) => {
    await open({ ...STOP, targets: [{ at: percent(200), closePercent: 100 }] });
    if (by === "an alert's") await world.fire("close long");
    else {
      setPrice(103);
      await watch();
    }
    setPrice(96.5);
    await keepersWork();
    await world.run("test", behindNode());
    expect(await world.story()).toEqual([
      "OPEN_LONG filled",
      "CLOSE_LONG denied nothing_to_close",
      "CLOSE_LONG filled",
    ]);
    expect(await row()).toBeNull();
    expect(await uncounted()).toEqual([]);
  });

  /** Returns what is counted as the agent's and stands in no line. */
  const uncounted = async () =>
    (await sql`select signature from upkeep_fills`.execute(world.database.db)).rows;

  it.each(["nobody", "the comparison", "an exit behind a node"])(
    "is told where a change was about to take it away, booked by %s",
    async (by) => {
      await open();
      world.faulty.script(() => "drop");
      await savePlan(world, null);
      await runLane(world.deps, world.agentId, "dies");
      await endAllLaneLeases(world.database.db, "dies");
      expect((await row())?.protection.sent).toMatchObject({ stop: null });
      world.faulty.script(() => undefined);
      setPrice(96.5);
      await keepersWork();
      if (by === "the comparison") await compare();
      if (by === "an exit behind a node") await world.fire("close long");
      await world.run("test", by === "an exit behind a node" ? behindNode() : world.deps);
      await world.run();
      expect((await world.story()).filter((line) => line.endsWith("filled"))).toEqual(TOLD);
      expect(await row()).toBeNull();
      expect(await uncounted()).toEqual([]);
      expect([...(await sumTradedBase(world.database.db, world.agentId)).values()]).toEqual([0n]);
    },
  );
});

describe("the comparison of records and chain", () => {
  it("takes neither our stop, nor its trigger and its fill by a keeper, for a stranger's", async () => {
    await open();
    expect(await compare()).toEqual([]);
    setPrice(96.5);
    await keepersWork();
    expect(await compare()).toEqual([]);
    await watch();
    await world.run();
    expect((await world.story()).at(-1)).toBe("CLOSE_LONG filled");
    expect(await compare()).toEqual([]);
    expect([...(await sumTradedBase(world.database.db, world.agentId)).values()]).toEqual([0n]);
  });

  it("flags who took our stop away", async () => {
    await open();
    await cancelByHand();
    expect(await compare()).toMatchObject([
      { text: expect.stringMatching(/^A transaction that was not made here changed the trading/) },
    ]);
  });
});

describe("a stop while something fails", () => {
  it.each(["drop", "refuse", "lose-answer"] as const)(
    "rests once whatever becomes of its sending (%s)",
    async (fault) => {
      await world.fire("long");
      await world.run();
      world.clock.advance(1_000);
      world.faulty.script((send) => (send < 3 ? fault : undefined));
      await savePlan(world, STOP);
      await world.run();
      await runUntil(async () => (await rests()).length > 0);
      world.clock.advance(61_000);
      await world.run("another server");
      expect(await rests()).toMatchObject([{ key: "stop", baseSize: await held() }]);
      expect(await row()).toMatchObject({ protection: { sent: null, missingSinceMs: null } });
    },
  );

  it.each(["fired", "was taken away"])(
    "is followed or rests again where it %s after the block of its change was undone",
    async (what) => {
      await open({ ...STOP, closeWithoutStop: false });
      world.faulty.script(() => "fork");
      await savePlan(world, { stop: { at: percent(200) }, closeWithoutStop: false });
      await world.run();
      expect((await row())?.protection.landed).toMatchObject({ stop: { by: "stop" } });
      world.faulty.script(() => undefined);
      world.faulty.resolveForks();
      if (what === "fired") {
        setPrice(96.5);
        await keepersWork();
        await runUntil(async () => (await row()) === null, 180);
        expect((await world.story()).slice(1)).toEqual(["CLOSE_LONG filled"]);
      } else {
        await cancelByHand();
        await runUntil(async () => (await rests()).length > 0, 180);
        expect(await rests()).toMatchObject([{ key: "stop", baseSize: await held() }]);
      }
    },
  );

  it("is looked up by the next server where one died before it sent the change", async () => {
    await world.fire("long");
    await world.run();
    world.clock.advance(1_000);
    await savePlan(world, STOP);
    world.faulty.script(() => "drop");
    await runLane(world.deps, world.agentId, "dies");
    await endAllLaneLeases(world.database.db, "dies");
    const stored = (await row())?.protection.sent;
    expect(stored).not.toBeNull();
    world.faulty.script(() => undefined);
    await world.run("next");
    await world.run("next");
    const placed = (await row())?.protection;
    // The same bytes, not another order beside them
    expect(placed?.landed?.signature).toBe(stored?.signature);
    expect(await rests()).toHaveLength(1);
  });

  it("that expired unsent is placed in the turn that finds it so", async () => {
    await world.fire("long");
    await world.run();
    world.clock.advance(1_000);
    await savePlan(world, { ...STOP, closeWithoutStop: false });
    world.faulty.script(() => "drop");
    await world.run();
    world.clock.advance(120_000);
    world.faulty.script(() => undefined);
    await runLane(world.deps, world.agentId, "test");
    expect(await rests()).toMatchObject([{ key: "stop", baseSize: await held() }]);
  });

  it("that fills while the node is away is told once the node is back", async () => {
    await open();
    setPrice(96.5);
    await keepersWork();
    world.faulty.setDown(true);
    world.clock.advance(61_000);
    await world.run();
    world.faulty.setDown(false);
    world.clock.advance(6_000);
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG filled", "CLOSE_LONG filled"]);
  });

  it("that cannot be moved stays where it rests, which the owner reads", async () => {
    await open();
    const [before] = await prices();
    await setExchangePaused(world.chain, true);
    await savePlan(world, { stop: { at: percent(100) } });
    await world.run();
    const shown = () => readShownPlan(world.database.db, world.agentId, world.clock.now());
    expect(await shown()).toMatchObject({ kept: "watched", notRestingSince: expect.any(String) });
    world.clock.advance(31_000);
    await world.run();
    expect(await exits()).toEqual([]);
    expect(await prices()).toEqual([before]);
    await setExchangePaused(world.chain, false);
    world.clock.advance(6_000);
    await world.run();
    expect(await shown()).toMatchObject({ kept: "resting" });
    expect(await prices()).not.toEqual([before]);
  });

  it("is not placed while the exchange refuses it, which the owner reads, and then is", async () => {
    await world.fire("long");
    await world.run();
    world.clock.advance(1_000);
    await setExchangePaused(world.chain, true);
    await savePlan(world, { ...STOP, closeWithoutStop: false });
    await world.run();
    world.clock.advance(31_000);
    await world.run();
    const shown = () => readShownPlan(world.database.db, world.agentId, world.clock.now());
    expect(await shown()).toMatchObject({ kept: "watched", notRestingSince: expect.any(String) });
    await setExchangePaused(world.chain, false);
    world.clock.advance(6_000);
    await world.run();
    expect(await shown()).toMatchObject({ kept: "resting" });
    expect(await shown()).not.toHaveProperty("notRestingSince");
  });
});

describe("a closing and a trigger at the same time", () => {
  it("end flat, and the stop is told to have sold", async () => {
    await open();
    setPrice(96.5);
    await world.fire("close long");
    await keepersWork();
    expect(await held()).toBe(0n);
    await world.run();
    world.clock.advance(61_000);
    await world.run();
    expect(await held()).toBe(0n);
    const story = await world.story();
    expect(story).toContain("CLOSE_LONG denied nothing_to_close");
    expect(story).toContain("CLOSE_LONG filled");
  });

  it("end flat where the stop is triggered when the closing is sent", async () => {
    await open();
    setPrice(96.5);
    await keep();
    await world.fire("close long");
    await world.run();
    passAuction();
    await keep();
    await world.run();
    expect(await held()).toBe(0n);
    expect(await rests()).toEqual([]);
  });
});
