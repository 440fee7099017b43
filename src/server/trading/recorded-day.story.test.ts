import { describe, expect, it } from "vitest";
import { createTestDatabase } from "../../../test/database.ts";
import { createTradingWorld } from "../../../test/trading-world.ts";
import { createPracticeMarket } from "../../practice/practice-market.ts";
import type { Bar } from "../../strategy/bar-times.ts";
import {
  divergenceOf,
  gapsOf,
  type PartingCause,
  type RealTrade,
  replay,
  simulatedOrders,
} from "../../strategy/replay.ts";
import { simulate } from "../../strategy/simulate.ts";
import type { RecordedFiring } from "../../strategy/simulation.ts";
import { findMarket } from "../../venues/profiles.ts";
import { createPriceBoard } from "../market-data/prices/price-board.ts";
import { NO_OWNER_LIMITS } from "../../../test/owner-limits.ts";

const SECOND_MS = 1_000;
const BAR_MS = 900 * SECOND_MS;

/** Bars of the recorded day, and those before whose close an alert opens or closes a position. */
const BARS = 96;
const OPENS = [4, 20, 36, 52, 68, 84];
const CLOSES = [10, 26, 42, 58, 74, 90];

/** What goes wrong at which bar of the day. */
type Fault = "dropped" | "no prices";

interface Day {
  readonly trades: readonly RealTrade[];
  readonly money: string;
  readonly bars: readonly Bar[];
  readonly firings: readonly RecordedFiring[];
}

/** One recorded day of three sources, the same for every run: a quiet market, and sources apart by some millionths. */
const recorded = createPracticeMarket(28);
const middleAt = (place: number): bigint => {
  const price = recorded.priceAt("SOL", Date.UTC(2026, 0, 5) + place * 60 * SECOND_MS) ?? 0n;
  return price + BigInt(place % 3);
};

/** Plays the day at an agent: prices through the board of paper, alerts at bar closes, orders to the exchange. */
async function play(faults: ReadonlyMap<number, Fault> = new Map()): Promise<Day> {
  const world = await createTradingWorld("drift", { database: await createTestDatabase() });
  try {
    const { clock } = world;
    const startMs = Math.ceil(clock.now() / BAR_MS) * BAR_MS;
    clock.advance(startMs - clock.now());
    const board = createPriceBoard(
      ["One", "Two", "Three"].map((label) => ({ label })),
      clock,
    );
    const publish = (place: number): number => {
      for (const [at, source] of ["One", "Two", "Three"].entries()) {
        const middle = middleAt(place) + BigInt(at * 10);
        const reading = { asset: "SOL", bid: middle - 500n, ask: middle + 500n, atMs: clock.now() };
        board.receive(source, [reading]);
      }
      const price = board.publish().prices["SOL"]?.price ?? 0n;
      world.setPrice(price);
      return Number(price) / 1e6;
    };
    const bars: Bar[] = [];
    const firings: RecordedFiring[] = [];
    let held = false;
    let open = publish(0);
    for (let bar = 0; bar < BARS; bar += 1) {
      const closeTimeMs = startMs + (bar + 1) * BAR_MS;
      clock.advance(closeTimeMs - clock.now());
      const close = publish(bar + 1);
      const [low, high] = open < close ? [open, close] : [close, open];
      bars.push({
        openTimeMs: closeTimeMs - BAR_MS,
        closeTimeMs,
        open,
        high,
        low,
        close,
        volume: 1,
      });
      open = close;
      const alert = OPENS.includes(bar) ? "long" : CLOSES.includes(bar) ? "close long" : null;
      const fault = faults.get(bar);
      if (held) {
        world.holdPrices(false);
        held = false;
        for (let second = 0; second < 60; second += 1) {
          clock.advance(SECOND_MS);
          await world.run();
        }
      }
      if (alert === null) continue;
      firings.push({ alertKey: alert, atMs: closeTimeMs });
      if (fault === "dropped") continue;
      if (fault === "no prices") {
        held = true;
        world.holdPrices(true);
        clock.advance(31 * SECOND_MS);
      }
      await world.fire(alert);
      await world.run();
    }
    expect(world.problems).toEqual([]);
    const { rows } = await world.database.pool.query(
      "select signal, at, status, price, base_size, fee, reason from trade_log order by at",
    );
    const { portfolioValue } = await world.account();
    return {
      bars,
      firings,
      money: `${portfolioValue}`,
      trades: rows.map(({ signal, at, status, price, base_size, fee, reason }) => ({
        signal,
        atMs: (at as Date).getTime(),
        hasTraded: status === "success",
        price: price === null ? null : BigInt(price),
        baseSize: BigInt(base_size),
        fee: fee === null ? null : BigInt(fee),
        reason,
      })),
    };
  } finally {
    await world.database.drop();
  }
}

/** Simulates the day's alerts at the exchange's own costs and reports how far the real trades part. */
async function report({ bars, firings, trades }: Day, costs: object) {
  const market = findMarket("drift", "SOL-PERP") ?? expect.fail("no market");
  const input = {
    agent: {
      market,
      intervalMinutes: 15,
      positionSizePercent: 100,
      slippageBps: 50,
      limits: NO_OWNER_LIMITS,
      dailyLimits: null,
      alerts: ["long", "close long"].map((name) => ({ alertKey: name, name })),
      rules: (["OPEN_LONG", "CLOSE_LONG"] as const).map((action, at) => ({
        ruleId: action,
        action,
        conditions: [{ alertKey: at === 0 ? "long" : "close long", requiredCount: 1 }],
      })),
    },
    costs: costs as Parameters<typeof simulate>[0]["costs"],
    startMoney: 500_000_000n,
    quoteDecimals: 6,
    bars,
    fromMs: 0,
    firings: { kind: "recorded", firings } as const,
  };
  return divergenceOf(
    replay(simulatedOrders(simulate(input)), trades, {
      fromMs: bars[0]?.openTimeMs ?? 0,
      toMs: bars.at(-1)?.closeTimeMs ?? 0,
      intervalMs: BAR_MS,
      gaps: gapsOf(bars),
      slippageBps: 50,
      baseDecimals: market.baseDecimals,
      quoteDecimals: 6,
    }),
  );
}

async function costsOfExchange() {
  const world = await createTradingWorld("drift", { database: await createTestDatabase() });
  const venue = world.networks.get("practice")?.venues.get("drift");
  const costs = await venue?.tradingCosts("SOL-PERP");
  await world.database.drop();
  return costs ?? expect.fail("no costs");
}

describe("a recorded day of prices", () => {
  it("replayed twice gives the same trades and the same money", async () => {
    const [once, again] = [await play(), await play()];
    expect(once.trades.filter(({ hasTraded }) => hasTraded)).toHaveLength(12);
    expect(again.trades).toEqual(once.trades);
    expect(again.money).toBe(once.money);
    expect(again.bars).toEqual(once.bars);
  });

  it("is traded as simulated, and the report names what was dropped or had no price", async () => {
    const costs = await costsOfExchange();
    const clean = await report(await play(), costs);
    expect([clean.compared, clean.matched, clean.causes]).toEqual([12, 12, []]);
    expect(Math.abs(clean.medianBps ?? 99)).toBeLessThan(10);

    const faults = new Map<number, Fault>([
      [20, "dropped"],
      [26, "dropped"],
      [52, "no prices"],
      [74, "no prices"],
    ]);
    const { compared, matched, causes } = await report(await play(faults), costs);
    const counted = Object.fromEntries(causes.map(({ cause, count }) => [cause, count]));
    // Without the entry at bar 52 there is nothing to close at bar 58
    const expected: Partial<Record<PartingCause, number>> = {
      dropped_alert: 2,
      stale_price: 1,
      denied: 1,
      // The exchange cancelled the first order of the exit, and filled a later one once there was a price
      unfilled: 1,
    };
    expect([compared, matched, counted]).toEqual([12, 7, expected]);
  });
});
