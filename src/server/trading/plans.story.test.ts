import { afterEach, describe, expect, it } from "vitest";
import { STORY_VENUES } from "../../../test/auctions.ts";
import { expectBooked } from "../../../test/expect-booked.ts";
import { savePlan } from "../../../test/save-plan.ts";
import { useTradingWorld } from "../../../test/trading-world.ts";
import { formatDecimal } from "../../domain/amount.ts";
import type { Plan } from "../../domain/plan/plan.ts";
import { createEntryAtr } from "../alert-sources/conditions/entry-atr.ts";
import { countPlanEnds } from "../store/ledger/performance.ts";
import { readShownPlan } from "../positions/present-position.ts";
import { findPlanRow, readLook } from "../store/orders/plan-positions.ts";
import { listTradeLogOf } from "../store/trade-log/trade-log.ts";
import { ChainUnavailableError } from "../../solana/chain.ts";
import type { Venue } from "../../venues/ports.ts";
import { endExitsForOwner, closePositionForOwner } from "./intake.ts";
import { watchPlans } from "./lanes/watch-plans.ts";

const START = 155_000_000n;
const percent = (bps: number) => ({ kind: "percent", bps }) as const;
const STOP: Plan = { stop: { at: percent(300) } };

describe.each(STORY_VENUES)("a plan on %s", (venue) => {
  const world = useTradingWorld(venue);

  afterEach(() => expectBooked(world));

  const plan = (of: Plan | null, changed = {}) => savePlan(world, of, changed);

  /** Opens a position under a plan. */
  async function open(of: Plan, changed = {}) {
    await plan(of, changed);
    await world.fire("long");
    await world.run();
    world.clock.advance(1_000);
  }

  const woken: [string, boolean][] = [];
  const watch = () =>
    watchPlans(world.deps, "practice", (...woke) => {
      woken.push(woke);
    });

  /** Moves the market, in percent of the start, and lets the watch and the lane do what they then do. */
  async function price(percentOfStart: number) {
    world.setPrice((START * BigInt(Math.round(percentOfStart * 100))) / 10_000n);
    world.clock.advance(5_000);
    await watch();
    await world.run();
    if ((await row())?.position?.hitSinceMs == null) return;
    // A stop that rests at the exchange has its turn, and nobody triggers it here
    world.clock.advance(15_000);
    await watch();
    await world.run();
  }

  const runFor = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      world.clock.advance(1_000);
      await world.run();
    }
  };

  const held = async () => (await world.account()).positions[0]?.baseSize ?? 0n;
  const row = () => findPlanRow(world.database.db, world.agentId);
  const exits = () =>
    world.database.db
      .selectFrom("exits")
      .select(["asked_by", "plan_end", "state"])
      .orderBy("asked_at")
      .execute();
  const ends = async () => (await exits()).map(({ plan_end }) => plan_end);

  it("books the position in the lane's turn of its entry", async () => {
    await open(STOP);
    expect(await row()).toMatchObject({
      addsDone: 0,
      unprotectedSinceMs: null,
      position: { side: "long", baseSize: await held(), stopPrice: null },
    });
    expect((await row())?.dueAtMs).toBeGreaterThan(world.clock.now());
  });

  it("closes at its stop, not before, and says that the plan asked for it", async () => {
    await open(STOP);
    await price(98);
    expect(await world.story()).toEqual(["OPEN_LONG filled"]);
    await price(96.5);
    expect((await world.story()).slice(1)).toEqual(["CLOSE_LONG filled"]);
    expect(await held()).toBe(0n);
    expect(await exits()).toEqual([{ asked_by: "plan", plan_end: "stop", state: "done" }]);
    expect(woken).toContainEqual([world.agentId, true]);
    expect(await row()).toBeNull();
    expect((await world.agent()).autoTrade).toBe("on");
  });

  it("goes on until flat when the stop is jumped over and the venue refuses", async () => {
    await open(STOP);
    world.faulty.script(() => "drop");
    await price(80);
    world.clock.advance(100_000);
    await world.run();
    world.faulty.script(() => undefined);
    await runFor(40);
    expect(await held()).toBe(0n);
    expect(await ends()).toEqual(["stop"]);
  });

  it("follows the best price, which a restart does not forget", async () => {
    await open({
      stop: { at: percent(300), trail: { afterBps: 400, by: percent(200), stepBps: 25 } },
    });
    await price(110);
    expect((await row())?.position?.stopPrice).toBeGreaterThan((START * 107n) / 100n);
    // A later process has only the database
    const second = { ...world.deps };
    world.setPrice((START * 107n) / 100n);
    world.clock.advance(5_000);
    await watchPlans(second, "practice", () => {});
    await world.run("second", second);
    world.clock.advance(15_000);
    await watchPlans(second, "practice", () => {});
    await world.run("second", second);
    expect(await held()).toBe(0n);
    expect(await ends()).toEqual(["trail"]);
  });

  it("stands at the entry once it gained enough", async () => {
    await open({ stop: { at: percent(500), breakEvenAfterBps: 200 } });
    await price(103);
    await price(99);
    expect(await held()).toBe(0n);
    expect(await ends()).toEqual(["break_even"]);
  });

  it("closes its targets in parts, and the rest at its stop", async () => {
    await open({
      ...STOP,
      targets: [
        { at: percent(200), closePercent: 50 },
        { at: percent(400), closePercent: 25 },
      ],
    });
    const opened = await held();
    await price(103);
    const rest = await held();
    expect(Number(rest) / Number(opened)).toBeCloseTo(0.5, 2);
    expect((await world.orders()).at(-1)).toMatchObject({ percentage: 50 });
    await price(103.5);
    expect(await held()).toBe(rest);
    expect((await row())?.position).toMatchObject({ baseSize: rest, targetsHit: [0] });
    await price(105);
    expect(Number(await held()) / Number(opened)).toBeCloseTo(0.25, 2);
    await price(96);
    expect(await held()).toBe(0n);
    expect(await ends()).toEqual(["target_1", "target_2", "stop"]);
    const sold = (await world.orders()).slice(1).reduce((sum, { baseSize }) => sum + baseSize, 0n);
    expect(sold).toBe(opened);
  });

  it("tells its owner the levels, and afterwards what ended the position", async () => {
    const web = world.database.as("web").db;
    const shown = () => readShownPlan(web, world.agentId, world.clock.now());
    await open({ ...STOP, targets: [{ at: percent(200), closePercent: 50 }] });
    await watch();
    const { averageEntry } = (await row())?.position ?? { averageEntry: 0n };
    const level = (bps: bigint) => formatDecimal(averageEntry + (averageEntry * bps) / 10_000n, 6);
    const kept = venue === "drift" ? "resting" : "watched";
    expect(await shown()).toEqual({
      kept,
      stop: { price: formatDecimal(averageEntry - (averageEntry * 300n) / 10_000n, 6), by: "stop" },
      targets: [{ target: 1, price: level(200n) }],
    });
    const looked = world.clock.now();
    world.clock.advance(31_000);
    expect(await shown()).toMatchObject({ unwatchedSince: new Date(looked).toISOString() });
    await price(103);
    expect(await shown()).toMatchObject({ kept, targets: [] });
    await price(95);
    const { chatId } = await world.agent();
    const log = await listTradeLogOf(web, { chatId, filter: "all", before: null, limit: 9 });
    expect(log.map(({ plan_act }) => plan_act)).toEqual(["stop", "target_1", null]);
    const span = { fromMs: 0, toMs: world.clock.now() + 1 };
    expect(await countPlanEnds(web, world.agentId, span)).toEqual([
      { by: "stop", count: 1 },
      { by: "target_1", count: 1 },
    ]);
  });

  it("closes after its bars", async () => {
    await open({ holdBars: 1 });
    await price(100.5);
    expect(await held()).toBeGreaterThan(0n);
    world.clock.advance(3_600_000);
    await price(100.5);
    expect(await held()).toBe(0n);
    expect(await ends()).toEqual(["hold"]);
  });

  it("adds on a further signal, and never beyond its largest position", async () => {
    await open(
      {
        ...STOP,
        adds: { on: { kind: "signal" }, times: 3, sizePercent: 60 },
        maxPositionPercent: 40,
      },
      { position_size_percent: 20 },
    );
    const opened = await held();
    await world.fire("long");
    await world.run();
    expect(Number(await held()) / Number(opened)).toBeCloseTo(1.6, 1);
    expect(await row()).toMatchObject({ addsDone: 1 });
    world.clock.advance(60_000);
    await world.fire("long");
    await world.run();
    const full = await held();
    expect(Number(full) / Number(opened)).toBeLessThan(2.05);
    world.clock.advance(60_000);
    await world.fire("long");
    await world.run();
    expect((await world.story()).slice(1)).toEqual([
      "OPEN_LONG filled",
      "OPEN_LONG filled",
      expect.stringMatching(/^OPEN_LONG denied (position_full|below_minimum)$/),
    ]);
    expect(await held()).toBe(full);
    expect((await row())?.position).toMatchObject({ baseSize: full, largestSize: full });
  });

  it("adds when the price goes against it, once a level", async () => {
    await open(
      {
        stop: { at: percent(1_000) },
        adds: { on: { kind: "against", bps: 200 }, times: 1, sizePercent: 100 },
        maxPositionPercent: 100,
      },
      { position_size_percent: 20 },
    );
    const opened = await held();
    await price(97.5);
    expect(Number(await held()) / Number(opened)).toBeCloseTo(2, 1);
    await price(96);
    expect((await world.story()).slice(1)).toEqual(["OPEN_LONG filled"]);
    expect(await row()).toMatchObject({ addsDone: 1 });
  });

  it("does not add without a plan of it, nor after its times", async () => {
    await open(
      {
        ...STOP,
        adds: { on: { kind: "signal" }, times: 1, sizePercent: 50 },
        maxPositionPercent: 100,
      },
      { position_size_percent: 20 },
    );
    for (let n = 0; n < 2; n += 1) {
      world.clock.advance(60_000);
      await world.fire("long");
      await world.run();
    }
    expect((await world.story()).slice(1)).toEqual([
      "OPEN_LONG filled",
      "OPEN_LONG denied adds_done",
    ]);
  });

  it("ends flat when a closing rule and the stop come together", async () => {
    await open(STOP);
    await world.fire("close long");
    await price(90);
    await runFor(3);
    expect(await held()).toBe(0n);
    expect((await world.account()).positions).toEqual([]);
    const filled = (await world.orders()).filter(({ state }) => state === "filled");
    expect(filled).toHaveLength(2);
  });

  it("ends flat when the owner closes while a target is being closed", async () => {
    await open({ ...STOP, targets: [{ at: percent(200), closePercent: 50 }] });
    world.faulty.script(() => "drop");
    await price(103);
    await closePositionForOwner(
      world.webDeps,
      world.agentId,
      { wallet: world.owner.address },
      {
        side: "long",
        requestId: "click",
      },
    );
    world.faulty.script(() => undefined);
    world.clock.advance(100_000);
    await runFor(20);
    expect(await held()).toBe(0n);
    expect(await row()).toBeNull();
  });

  it("makes the whole of a target's exit where the stop is hit meanwhile", async () => {
    await open({ ...STOP, targets: [{ at: percent(200), closePercent: 50 }] });
    world.faulty.script(() => "drop");
    await price(103);
    expect(await ends()).toEqual(["target_1"]);
    await price(95);
    expect(await ends()).toEqual(["stop"]);
    world.faulty.script(() => undefined);
    world.clock.advance(100_000);
    await runFor(20);
    expect(await held()).toBe(0n);
    expect(await exits()).toEqual([{ asked_by: "plan", plan_end: "stop", state: "done" }]);
  });

  it("keeps the stop while trading is halted, and carries it out afterwards", async () => {
    await open(STOP);
    world.limitTo("halted");
    await price(95);
    expect(await exits()).toMatchObject([{ asked_by: "plan", state: "working" }]);
    world.limitTo("reducing");
    await runFor(20);
    expect(await held()).toBe(0n);
  });

  /** A server that reads the venue with these changes. */
  function seeing(changes: (real: Venue) => Partial<Venue>): typeof world.deps {
    const runtime = world.deps.networks.get("practice");
    const real = runtime?.venues.get(venue);
    if (runtime === undefined || real === undefined) throw new Error("No venue");
    const venues = new Map([[venue, { ...real, ...changes(real) }]]);
    return { ...world.deps, networks: new Map([["practice" as const, { ...runtime, venues }]]) };
  }

  it("decides nothing by a price that is missing, old or uncertain, and knows since when", async () => {
    await open(STOP);
    await price(100);
    const looked = world.clock.now();
    world.setPrice((START * 90n) / 100n);
    world.clock.advance(31_000);
    const unusable: ((real: Venue) => Venue["price"])[] = [
      () => () => Promise.reject(new ChainUnavailableError("down")),
      (real) => async (marketId) => ({
        ...(await real.price(marketId)),
        publishedAtMs: looked,
      }),
      (real) => async (marketId) => ({
        ...(await real.price(marketId)),
        confidence: START / 10n,
      }),
    ];
    for (const priceOf of unusable) {
      await watchPlans(
        seeing((real) => ({ price: priceOf(real) })),
        "practice",
        () => {},
      );
    }
    expect(await exits()).toEqual([]);
    const { marketId } = await world.agent();
    const market = { network: "practice", venue, marketId } as const;
    expect(await readLook(world.database.db, market)).toBe(looked);
    await price(90);
    expect(await held()).toBe(0n);
  });

  it("does not forget the position because a node lags", async () => {
    await open(STOP);
    const before = await row();
    const lagging = seeing((real) => ({
      accountState: async (...asked) => ({
        ...(await real.accountState(...asked)),
        slot: -1n,
        positions: [],
      }),
    }));
    world.clock.advance(61_000);
    await world.run("lagging", lagging);
    expect((await row())?.position).toEqual(before?.position);
  });

  it("sees what its owner closed beside it", async () => {
    await open(STOP);
    await closePositionForOwner(
      world.webDeps,
      world.agentId,
      { wallet: world.owner.address },
      {
        side: "long",
        requestId: "click",
      },
    );
    await world.run();
    expect(await row()).toBeNull();
    await price(90);
    expect((await world.story()).slice(1)).toEqual(["CLOSE_LONG filled"]);
  });

  it("begins with a position that was open before, and ends with its plan", async () => {
    await world.fire("long");
    await world.run();
    expect(await row()).toBeNull();
    await plan(STOP);
    await world.run();
    expect((await row())?.position).toMatchObject({ baseSize: await held() });
    await plan(null);
    await world.run();
    expect(await row()).toBeNull();
  });

  it("leaves a position to its owner who stopped the closing", async () => {
    await open(STOP);
    world.limitTo("halted");
    await price(95);
    await endExitsForOwner(world.webDeps, world.agentId, { wallet: world.owner.address });
    world.limitTo("active");
    await price(94);
    await runFor(2);
    expect(await held()).toBeGreaterThan(0n);
    expect(await row()).toBeNull();
  });

  it("begins anew after each entry, also where the last position was never looked at", async () => {
    await open({ ...STOP, targets: [{ at: percent(200), closePercent: 50 }] });
    await price(103);
    world.setPrice(START);
    await world.fire("close long");
    await world.fire("long");
    await world.run();
    await world.run();
    expect((await row())?.position).toMatchObject({ targetsHit: [], baseSize: await held() });
  });

  it("closes with the agent's turning off", async () => {
    await open(STOP);
    await world.turn("off");
    await runFor(3);
    expect(await held()).toBe(0n);
    expect(await row()).toBeNull();
    expect((await world.agent()).autoTrade).toBe("off");
  });

  it("closes an entry whose stop has no level after 30 seconds, unless the plan keeps it", async () => {
    const atr: Plan = { stop: { at: { kind: "atr", length: 14, timesHundredths: 200 } } };
    await open({ ...atr, closeWithoutStop: false });
    await runFor(40);
    expect(await held()).toBeGreaterThan(0n);
    expect((await row())?.unprotectedSinceMs).not.toBeNull();
    await plan(atr);
    await runFor(3);
    expect(await held()).toBe(0n);
    expect(await ends()).toEqual(["no_stop"]);
  });

  it("knows the ATR of the bars before the entry", async () => {
    const closes = Array.from({ length: 300 }, (_, at) => at);
    const entryAtr = createEntryAtr(() => ({
      bars: async ({ toMs }) => ({
        source: "test",
        gaps: [],
        contradictions: [],
        bars: closes.map((at) => {
          const closeTimeMs = toMs - (closes.length - 1 - at) * 3_600_000;
          const openTimeMs = closeTimeMs - 3_600_000;
          return { openTimeMs, closeTimeMs, open: 155, high: 157, low: 153, close: 155, volume: 1 };
        }),
      }),
    }));
    const atr: Plan = { stop: { at: { kind: "atr", length: 14, timesHundredths: 200 } } };
    await plan(atr);
    await world.fire("long");
    await world.run("test", { ...world.deps, entryAtr });
    expect((await row())?.position?.atr).toEqual(new Map([[14, 4_000_000n]]));
    world.clock.advance(1_000);
    await price(96);
    expect(await held()).toBeGreaterThan(0n);
    await price(94);
    expect(await ends()).toEqual(["stop"]);
    expect(await held()).toBe(0n);
  });
});
