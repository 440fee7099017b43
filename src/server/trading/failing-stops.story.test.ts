import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { auctionSlots } from "../../../test/auctions.ts";
import { savePlan } from "../../../test/save-plan.ts";
import { percent, STOP, useStoppedWorld } from "../../../test/stopped-world.ts";
import { ChainUnavailableError } from "../../solana/chain.ts";
import { DRIFT_V2_INSTANCE } from "../../venues/drift/instance.ts";
import { fillPerpOrder, placePerpOrder } from "../../venues/drift/instructions.ts";
import { triggerOrderParams } from "../../venues/drift/order-params.ts";
import { readShownPlan } from "../positions/present-position.ts";
import { runLane } from "./lanes/lane.ts";
import type { TradingDeps } from "./orders/order-context.ts";
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
  held,
  prices,
  row,
  exits,
} = useStoppedWorld();

const KEPT = { ...STOP, closeWithoutStop: false };
const NO_STOP = [{ asked_by: "plan", plan_end: "no_stop", state: "done" }];
const shown = () => readShownPlan(world.database.db, world.agentId, world.clock.now());
const isFlat = async () => (await held()) === 0n;
const sold = async () =>
  (await world.orders())
    .filter(({ signal }) => signal === "CLOSE_LONG")
    .reduce((sum, { baseSize }) => sum + baseSize, 0n);

const endLease = () =>
  world.database.db
    .updateTable("lanes")
    .set({ claimed_until: sql<Date>`clock_timestamp() - interval '1 second'` })
    .execute();

/** Nothing is left of a long position: not here, not at the exchange, and the log has sold what it bought. */
async function expectFlat() {
  expect(await held()).toBe(0n);
  expect(await rests()).toEqual([]);
  expect(await row()).toBeNull();
  const bought = (await world.orders())
    .filter(({ signal }) => signal === "OPEN_LONG")
    .reduce((sum, { baseSize }) => sum + baseSize, 0n);
  expect(await sold()).toBe(bought);
}

/** Takes all 32 places for orders of the account. */
async function fillAllPlaces() {
  const terms = { marketIndex: 0, side: "short", price: 1_000_000n, reduceOnly: true } as const;
  for (let at = 0; at < 32; at += 1) {
    const trigger = { userOrderId: 0, triggerPrice: 2_000_000n, triggersWhen: "below" } as const;
    const params = triggerOrderParams(
      { ...terms, baseSize: BigInt(at + 1) * 10_000_000n },
      trigger,
    );
    await sendByHand((user, by, markets) =>
      placePerpOrder(DRIFT_V2_INSTANCE, user, by, params, markets),
    );
  }
}

/** A server whose venue does not answer for an account that holds something. */
function blind(): TradingDeps {
  const runtime = world.deps.networks.get("practice");
  const venue = runtime?.venues.get("drift");
  if (runtime === undefined || venue === undefined) throw new Error("No exchange");
  const away: typeof venue = {
    ...venue,
    async accountState(...asked) {
      if (!(await isFlat())) throw new ChainUnavailableError("down");
      return venue.accountState(...asked);
    },
    // Nor for a stop before there is a position
    async buildProtective() {
      throw new ChainUnavailableError("down");
    },
  };
  const venues = new Map([[venue.id, away]]);
  return { ...world.deps, networks: new Map([["practice", { ...runtime, venues }]]) };
}

describe("a position whose stop cannot be placed", () => {
  it("is closed after 30 seconds where the exchange refuses the stop, which the owner reads at once", async () => {
    await open(null);
    await setExchangePaused(world.chain, true);
    await savePlan(world, STOP);
    await world.run();
    expect(await shown()).toMatchObject({
      kept: "watched",
      notRestingSince: new Date(world.clock.now()).toISOString(),
    });
    await runUntil(async () => (await exits()).length > 0, 29);
    expect(await exits()).toEqual([]);
    await runUntil(async () => (await exits()).length > 0, 6);
    expect(await exits()).toMatchObject([{ plan_end: "no_stop", state: "working" }]);
    await setExchangePaused(world.chain, false);
    await runUntil(isFlat);
    expect(await exits()).toEqual(NO_STOP);
    await runUntil(async () => (await row()) === null);
    await expectFlat();
  });

  it("is closed where all 32 places for orders are taken", async () => {
    await open(null);
    await fillAllPlaces();
    await savePlan(world, STOP);
    await world.run();
    expect(await shown()).toMatchObject({ notRestingSince: expect.any(String) });
    await runUntil(isFlat, 40);
    expect(await exits()).toEqual(NO_STOP);
    await runUntil(async () => (await row()) === null);
    await expectFlat();
  });

  it("stays open where the plan says so, and is watched", async () => {
    await open(null);
    await fillAllPlaces();
    await savePlan(world, KEPT);
    await runUntil(isFlat, 40);
    expect(await held()).toBeGreaterThan(0n);
    await price(96.5);
    await runUntil(isFlat, 1);
    expect(await exits()).toEqual([{ asked_by: "plan", plan_end: "stop", state: "done" }]);
  });

  it("is closed where the node is gone between the fill and the stop", async () => {
    await savePlan(world, STOP);
    await world.fire("long");
    world.beforeSigning(async (purpose) => {
      if (purpose !== "protective") return;
      if (await isFlat()) throw new Error("No stop rests before the fill");
      world.faulty.setDown(true);
    });
    await world.run();
    world.beforeSigning(async () => {});
    expect(await held()).toBeGreaterThan(0n);
    expect(await shown()).toMatchObject({ notRestingSince: expect.any(String) });
    await runUntil(async () => false, 31);
    world.faulty.setDown(false);
    await runUntil(isFlat);
    expect(await exits()).toEqual(NO_STOP);
    await runUntil(async () => (await row()) === null);
    await expectFlat();
  });

  it.each([
    { plan: STOP, left: "nothing" },
    { plan: KEPT, left: "a resting stop" },
  ])("leaves $left where no node showed the position for 31 seconds", async ({ plan, left }) => {
    await savePlan(world, plan);
    await world.fire("long");
    const away = blind();
    for (let second = 0; second < 12; second += 1) {
      await world.run("blind", away);
      world.clock.advance(1_000);
    }
    expect(await shown()).toMatchObject({ withoutStopSince: expect.any(String) });
    world.clock.advance(31_000);
    await runUntil(async () => (await isFlat()) || (await rests()).length > 0);
    await world.run();
    if (left === "nothing") await expectFlat();
    else expect(await rests()).toMatchObject([{ key: "stop", baseSize: await held() }]);
  });

  it("is not closed for a halt, and has its stop once trading goes on", async () => {
    await open(null);
    world.limitTo("halted");
    await savePlan(world, STOP);
    await world.run();
    expect(await shown()).toMatchObject({ notRestingSince: expect.any(String) });
    world.clock.advance(61_000);
    await world.run();
    world.limitTo("active");
    await runUntil(async () => (await rests()).length > 0, 10);
    expect(await rests()).toMatchObject([{ key: "stop", baseSize: await held() }]);
    expect(await exits()).toEqual([]);
  });

  it("is closed by the server where the exchange lets nobody trigger the stop", async () => {
    await open();
    // As for a price that is too volatile: the practice exchange's average follows its price, so that none is
    await setExchangePaused(world.chain, true);
    setPrice(96.5);
    await keep();
    expect(await rests()).toMatchObject([{ isTriggered: false }]);
    for (let look = 0; look < 4; look += 1) await price(96.5);
    expect(await exits()).toMatchObject([{ asked_by: "plan", plan_end: "stop" }]);
    await setExchangePaused(world.chain, false);
    await runUntil(isFlat);
    expect(await exits()).toEqual([{ asked_by: "plan", plan_end: "stop", state: "done" }]);
    await runUntil(async () => (await row()) === null);
    await expectFlat();
  });
});

describe("the stop of an entry that waits out its auction", () => {
  const enter = async () => {
    await savePlan(world, STOP);
    await world.fire("long");
    await runLane(world.deps, world.agentId, "dies");
    await endLease();
    return (await auctionSlots(world.chain)) > 0;
  };

  /** Fills it as anybody may. */
  const fillEntry = async () => {
    const { resting } = await world.database.db
      .selectFrom("orders")
      .select("resting")
      .executeTakeFirstOrThrow();
    const { venueOrderId } = resting as { readonly venueOrderId: string };
    await sendByHand((user, by, markets) =>
      fillPerpOrder(DRIFT_V2_INSTANCE, user, by, Number(venueOrderId), markets),
    );
  };

  it("rests before there is a position, and at its place once there is", async () => {
    if (await enter()) {
      expect(await held()).toBe(0n);
      expect(await rests()).toMatchObject([{ key: "stop", side: "short", isTriggered: false }]);
    }
    await world.run("next");
    const entry = (await row())?.position?.averageEntry ?? 0n;
    expect(await rests()).toMatchObject([{ key: "stop", baseSize: await held() }]);
    const [level = 0n] = await prices();
    expect(level - (entry - (entry * 300n) / 10_000n)).toBeLessThan(100n);
    expect(await row()).toMatchObject({ unprotectedSinceMs: null });
  });

  it("closes the position of a server that died before the fill, which is told", async () => {
    if (!(await enter())) return;
    passAuction();
    await fillEntry();
    const size = await held();
    expect(size).toBeGreaterThan(0n);
    setPrice(96.5);
    await keepersWork();
    expect(await held()).toBe(0n);
    await runUntil(async () => (await row()) === null);
    expect(await world.story()).toEqual(["OPEN_LONG filled", "CLOSE_LONG filled"]);
    expect(await sold()).toBe(size);
    await expectFlat();
  });

  it("that a dead server did not place is placed by the next, which tells how long it was missing", async () => {
    if ((await auctionSlots(world.chain)) === 0) return;
    await savePlan(world, STOP);
    await world.fire("long");
    // Dies once its entry has landed, and somebody else fills that
    world.beforeSigning(async (purpose) => {
      if (purpose === "protective") throw new Error("dead");
    });
    await runLane(world.deps, world.agentId, "dies");
    world.beforeSigning(async () => {});
    await endLease();
    expect(await rests()).toEqual([]);
    passAuction();
    await fillEntry();
    expect(await held()).toBeGreaterThan(0n);
    world.clock.advance(40_000);
    await runUntil(async () => (await rests()).length > 0, 10);
    expect(await rests()).toMatchObject([{ baseSize: await held() }]);
    const { notices = [] } = (await world.custody.summariseAccess(world.agentId)) ?? {};
    expect(notices.map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/^The position in SOL-PERP was held 4\d s without a stop/),
    );
  });

  it("is cancelled where the entry does not fill", async () => {
    if (!(await enter())) return;
    setPrice(103);
    world.clock.advance(46_000);
    await runUntil(async () => (await row()) === null, 20);
    expect(await rests()).toEqual([]);
    expect(await world.story()).toEqual(["OPEN_LONG cancelled cancelled"]);
  });
});

describe("the stop of a position that is closed as a whole", () => {
  it("rests until the closing has filled, and is gone in the same turn", async () => {
    await open();
    await world.fire("close long");
    await runLane(world.deps, world.agentId, "test");
    if ((await auctionSlots(world.chain)) > 0) {
      expect(await held()).toBeGreaterThan(0n);
      expect(await rests()).toMatchObject([{ key: "stop", baseSize: await held() }]);
    }
    await world.run();
    expect(await world.story()).toEqual(["OPEN_LONG filled", "CLOSE_LONG filled"]);
    await expectFlat();
  });

  it("closes it where the server dies in the closing's auction and nobody fills that", async () => {
    await open();
    const size = await held();
    if ((await auctionSlots(world.chain)) === 0) return;
    await world.fire("close long");
    await runLane(world.deps, world.agentId, "dies");
    await endLease();
    world.clock.advance(60_000);
    setPrice(96.5);
    await keepersWork();
    expect(await held()).toBe(0n);
    await runUntil(async () => (await row()) === null);
    expect(await sold()).toBe(size);
    await expectFlat();
  });
});

describe("a triggered stop whose limit the price has passed", () => {
  it("is cancelled at once, and an exit goes on without its limit", async () => {
    await open();
    setPrice(85);
    await keep();
    await watch();
    await runUntil(async () => (await exits()).length > 0, 3);
    expect(await exits()).toMatchObject([{ asked_by: "plan", plan_end: "stop" }]);
    await runUntil(isFlat, 15);
    await runUntil(async () => (await row()) === null, 15);
    await expectFlat();
  });
});

describe("the stop of a position of which a part is closed", () => {
  it("rests while the part is being closed, and is of the rest's size in the same turn", async () => {
    await open();
    const before = await held();
    await closeByHand(50);
    await runLane(world.deps, world.agentId, "test");
    expect(await rests()).toMatchObject([{ key: "stop", isTriggered: false }]);
    await world.run();
    expect(await held()).toBeLessThan(before);
    expect(await rests()).toMatchObject([{ key: "stop", baseSize: await held() }]);
    expect(await exits()).toEqual([{ asked_by: "owner", plan_end: null, state: "done" }]);
  });

  it("is triggered meanwhile, and both end flat with what each sold", async () => {
    await open();
    await closeByHand(50);
    await runLane(world.deps, world.agentId, "test");
    setPrice(96.5);
    await keepersWork();
    await world.run();
    await watch();
    await runUntil(async () => (await row()) === null);
    await expectFlat();
    expect((await world.story()).at(-1)).toBe("CLOSE_LONG filled");
  });

  it("is triggered before it is resized: it sells what is left, and says so", async () => {
    await open();
    const before = await held();
    await closeByHand(50);
    world.beforeSigning(async () => {
      const left = await held();
      if (left === before || left === 0n) return;
      setPrice(96.5);
      await keepersWork();
    });
    await world.run();
    world.beforeSigning(async () => {});
    await runUntil(async () => (await row()) === null);
    await expectFlat();
    expect(await world.story()).toEqual([
      "OPEN_LONG filled",
      "CLOSE_LONG filled",
      "CLOSE_LONG filled",
    ]);
  });
});

describe("an add and a stop at the same time", () => {
  const adding = async () => {
    const adds = { on: { kind: "signal" }, times: 1, sizePercent: 50 } as const;
    await savePlan(world, { ...STOP, adds, maxPositionPercent: 80 }, { position_size_percent: 20 });
    await world.fire("long");
    await world.run();
    world.clock.advance(60_000);
  };
  it("end flat where the stop is triggered while the add waits", async () => {
    await adding();
    await world.fire("long");
    await runLane(world.deps, world.agentId, "test");
    setPrice(96.5);
    await keepersWork();
    await world.run();
    await runUntil(async () => {
      await watch();
      return (await row()) === null;
    });
    await expectFlat();
    expect(await sold()).toBeGreaterThan(0n);
  });

  it("end with the stop's fill and an entry of its own stop where the signal comes while the stop fills", async () => {
    await adding();
    const before = await held();
    setPrice(96.5);
    await keep();
    await world.fire("long");
    await runLane(world.deps, world.agentId, "test");
    passAuction();
    await keep();
    await world.run();
    await runUntil(async () => (await rests()).length > 0);
    expect(await sold()).toBe(before);
    expect(await rests()).toMatchObject([{ baseSize: await held(), isTriggered: false }]);
    expect((await row())?.addsDone).toBe(0);
  });
});

describe("an owner's own close and a target at the same time", () => {
  it.each(["first", "last"] as const)("end flat where the owner is %s", async (when) => {
    await open({ ...STOP, targets: [{ at: percent(200), closePercent: 50 }] });
    setPrice(103);
    world.clock.advance(5_000);
    if (when === "first") await closeByHand();
    await watch();
    if (when === "last") await closeByHand();
    await runUntil(async () => (await row()) === null);
    await expectFlat();
    expect((await world.orders()).filter(({ state }) => state !== "filled")).toEqual([]);
  });
});

describe("a server that is killed", () => {
  /** A server that dies before its `count`th word to the database; `died` tells whether it came to that. */
  function dying(count: number) {
    let left = count;
    const query = (...asked: readonly unknown[]) => {
      left -= 1;
      if (left < 0) throw new Error("killed");
      return Reflect.apply(world.deps.lanes.query, world.deps.lanes, asked);
    };
    const lanes = new Proxy(world.deps.lanes, {
      get: (pool, name) => (name === "query" ? query : Reflect.get(pool, name)),
    });
    const quiet = { ...world.deps.log, warn() {}, error() {} };
    return { deps: { ...world.deps, lanes, log: quiet }, died: () => left < 0 };
  }
  it("in any step between entry and stop, part and resize, trigger and its telling, leaves what is planned", async () => {
    await savePlan(world, STOP, { position_size_percent: 20 });
    const lives = [
      async () => void (await world.fire("long")),
      () => closeByHand(50),
      async () => {
        setPrice(96.5);
        await keepersWork();
        await watch();
      },
    ];
    let steps = 0;
    for (let dies = 1, hasDied = true; hasDied; dies += 1) {
      hasDied = false;
      for (const begin of lives) {
        await begin();
        const server = dying(dies);
        await world.run("dies", server.deps).catch(() => {});
        if (server.died()) [steps, hasDied] = [steps + 1, true];
        await endLease();
        await runUntil(async () => {
          const rest = await rests();
          const size = await held();
          return size === 0n ? rest.length === 0 : rest[0]?.baseSize === size;
        });
        await world.run("next");
      }
      await runUntil(async () => (await row()) === null);
      await expectFlat();
      setPrice(100);
      world.clock.advance(60_000);
    }
    expect(steps).toBeGreaterThan(15);
    const states = (await world.orders()).map(({ state }) => state);
    expect([...new Set(states)]).toEqual(["filled"]);
  });
});
