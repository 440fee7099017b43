import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTestClock } from "../../../../test/clock.ts";
import { type ConditionWorld, createConditionWorld } from "../../../../test/condition-world.ts";
import { newTestId } from "../../../../test/world.ts";
import type { AlertCondition } from "../../../domain/condition/condition.ts";
import { createConditionEvaluator, warmUpBars } from "../../../strategy/evaluate-conditions.ts";
import { openTimeBefore, CandleSourceError } from "../../market-data/candle-history.ts";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const HOURLY: AlertCondition = { kind: "every-bars", bars: 1 };
const RSI_CROSSES: AlertCondition = {
  kind: "comparisons",
  all: [
    {
      left: { kind: "indicator", name: "RSI", output: "value", parameters: [14] },
      is: "crosses-above",
      right: { kind: "number", value: 50 },
    },
  ],
};

const SOL_HOURLY = {
  network: "practice",
  venue: "drift",
  marketId: "SOL-PERP",
  interval: "1h",
} as const;

let world: ConditionWorld;

beforeEach(async () => {
  world = await createConditionWorld(createTestClock(Date.parse("2026-11-21T08:01:00Z")));
});

afterEach(async () => {
  await world.close();
});

/** Returns the firings between two times by one evaluator that saw every bar. */
async function expectedFirings(condition: AlertCondition, fromMs: number, toMs: number) {
  const named = [{ alertKey: "a", condition }];
  const startMs = openTimeBefore(60, fromMs, warmUpBars(named, 60));
  const query = { symbol: "SOLUSDT", intervalMinutes: 60, fromMs: startMs, toMs };
  const { bars } = await world.history.bars(query);
  const evaluator = createConditionEvaluator(named, 60);
  return bars
    .flatMap((bar) => evaluator.next(bar))
    .filter(({ closedAtMs }) => closedAtMs > fromMs)
    .map(({ closedAtMs }) => `a accepted ${new Date(closedAtMs).toISOString().slice(5, 16)}`);
}

const update = (text: string) => world.database.pool.query(text);

describe("an agent's own conditions", () => {
  it("fire once when a bar closes, with the compared figures", async () => {
    const agentId = await world.addAgent({
      conditions: { a: HOURLY },
      rules: [["OPEN_LONG", "a"]],
    });
    const server = world.startServer();
    await server.round();
    expect(await world.signals(agentId)).toEqual([]);
    world.clock.advance(HOUR_MS);
    await server.round();
    await server.round();
    expect(await world.signals(agentId)).toEqual(["a accepted 11-21T09:00"]);
    const orders = await update("select signal, state from orders");
    expect(orders.rows).toEqual([{ signal: "OPEN_LONG", state: "planned" }]);
  });

  it("fire for every one of many agents evaluated from nothing, in two rounds", async () => {
    for (let n = 0; n < 203; n += 1) await world.addAgent({ conditions: { a: HOURLY } });
    world.clock.advance(HOUR_MS);
    const server = world.startServer();
    const fired = async () =>
      (await update("select count(distinct agent_id)::int as count from alert_events")).rows;
    await server.round();
    expect(await fired()).toEqual([{ count: 200 }]);
    await server.round();
    await server.round();
    expect(await fired()).toEqual([{ count: 203 }]);
  });

  it("fire identically on any server and after any number of restarts", async () => {
    const agentId = await world.addAgent({ conditions: { a: RSI_CROSSES } });
    const fromMs = world.clock.now();
    let servers = [world.startServer(), world.startServer()];
    for (let hour = 0; hour < 120; hour += 1) {
      if (hour % 17 === 0) servers = [world.startServer(), world.startServer()];
      world.clock.advance(HOUR_MS);
      const working = hour % 5 === 0 ? servers.toReversed() : servers;
      await Promise.all(working.map((server) => server.round()));
    }
    const expected = await expectedFirings(RSI_CROSSES, fromMs, world.clock.now());
    expect(expected.length).toBeGreaterThan(3);
    expect(await world.signals(agentId)).toEqual(expected);
    expect(world.problems).toEqual([]);
  });

  it("on another asset wait for its bars alone, and fire for the others", async () => {
    const reads = (asset: string): AlertCondition => ({
      kind: "comparisons",
      all: [
        {
          left: { kind: "price", field: "close", on: { asset } },
          is: "above",
          right: { kind: "number", value: 0 },
        },
      ],
    });
    const waiting = await world.addAgent({ conditions: { a: reads("BTC") } });
    const others = [
      await world.addAgent({ conditions: { a: reads("ETH") } }),
      await world.addAgent({ conditions: { a: HOURLY } }),
    ];
    world.clock.advance(HOUR_MS);
    let isDown = true;
    const server = world.startServer({
      historyOf: () => ({
        async bars(query) {
          if (isDown && query.symbol === "BTCUSDT") {
            throw new CandleSourceError("unavailable", "BTC is not answered");
          }
          return world.history.bars(query);
        },
      }),
    });
    await server.round();
    for (const agentId of others) {
      expect(await world.signals(agentId)).toEqual(["a accepted 11-21T09:00"]);
    }
    expect(await world.signals(waiting)).toEqual([]);
    expect((await world.troubleOf(SOL_HOURLY))?.text).toBe("BTC is not answered.");
    isDown = false;
    world.clock.advance(MINUTE_MS);
    await server.round();
    expect(await world.signals(waiting)).toEqual(["a accepted 11-21T09:00"]);
    expect(await world.troubleOf(SOL_HOURLY)).toBeNull();
  });

  it("of a downtime are evaluated in order; old firings are missed and fresh ones trade", async () => {
    const agentId = await world.addAgent({
      conditions: { a: HOURLY },
      rules: [["OPEN_LONG", "a"]],
    });
    world.clock.advance(HOUR_MS);
    await world.startServer().round();
    world.clock.advance(3 * HOUR_MS + MINUTE_MS);
    await world.startServer().round();
    expect(await world.signals(agentId)).toEqual([
      "a accepted 11-21T09:00",
      "a refused bar_missed 11-21T10:00",
      "a refused bar_missed 11-21T11:00",
      "a accepted 11-21T12:00",
    ]);
    expect((await update("select id from orders")).rows).toHaveLength(2);
  });

  it("of a downtime close what they would have closed", async () => {
    const agentId = await world.addAgent({
      conditions: { a: HOURLY },
      rules: [
        ["OPEN_LONG", "a"],
        ["CLOSE_SHORT", "a"],
      ],
    });
    world.clock.advance(2 * HOUR_MS + MINUTE_MS);
    await world.startServer().round();
    expect(await world.signals(agentId)).toEqual([
      "a accepted closings_only 11-21T09:00",
      "a accepted 11-21T10:00",
    ]);
    const { rows } = await update("select signal from orders order by seq");
    expect(rows.map(({ signal }) => signal)).toEqual(["CLOSE_SHORT", "CLOSE_SHORT", "OPEN_LONG"]);
  });

  it("of a very long downtime are summarised in one line, and only the newest bar trades", async () => {
    const agentId = await world.addAgent({
      conditions: { a: HOURLY, b: RSI_CROSSES },
      rules: [["OPEN_LONG", "a"]],
    });
    world.clock.advance(HOUR_MS);
    await world.startServer().round();
    world.clock.advance(2_500 * HOUR_MS);
    const servers = [world.startServer(), world.startServer()];
    await Promise.all(servers.map((server) => server.round()));
    const signals = await world.signals(agentId);
    const unlisted = signals.filter((signal) => signal.includes("bars_unlisted"));
    expect(unlisted.map((signal) => signal.split(" ")[0])).toEqual(["a", "b"]);
    const missed = signals.filter((signal) => signal.includes("bar_missed"));
    expect(missed).toHaveLength(100);
    const accepted = signals.filter((signal) => signal.startsWith("a accepted"));
    expect(accepted).toEqual(["a accepted 11-21T09:00", "a accepted 03-05T13:00"]);
    expect((await update("select id from orders")).rows).toHaveLength(2);
  });

  it("of a long downtime leave a line for the older missed firings", async () => {
    const agentId = await world.addAgent({ conditions: { a: HOURLY } });
    world.clock.advance(150 * HOUR_MS);
    await world.startServer().round();
    const signals = await world.signals(agentId);
    const missed = signals.filter((signal) => signal.includes("bar_missed"));
    // 150 bars: the newest one trades, and 100 of the others are listed
    expect(missed).toHaveLength(100);
    expect(missed[0]).toBe("a refused bar_missed 11-23T10:00");
    expect(signals[0]).toBe("a refused bars_unlisted 11-23T09:00");
    expect(signals).toHaveLength(102);
  });

  it.each([
    ["the condition", `update alerts set condition = '{"kind":"time-of-day","atUtc":"14:00"}'`],
    ["the market", "update agents set market_id = 'BTC-PERP'"],
    ["the interval", "update agents set interval = '30m'"],
    [
      "trading, off and on",
      "update agents set auto_trade = 'off'; update agents set auto_trade = 'on'",
    ],
  ])("are evaluated from that time on when %s changes", async (_, change) => {
    const agentId = await world.addAgent({ conditions: { a: HOURLY } });
    const server = world.startServer();
    world.clock.advance(HOUR_MS);
    await server.round();
    world.clock.advance(3 * HOUR_MS + MINUTE_MS);
    await update(
      `${change}; update agents set updated_at = '${new Date(world.clock.now()).toISOString()}'`,
    );
    world.clock.advance(1_000);
    await server.round();
    await world.startServer().round();
    expect(await world.signals(agentId)).toEqual(["a accepted 11-21T09:00"]);
    world.clock.advance(2 * HOUR_MS);
    await server.round();
    expect((await world.signals(agentId)).at(-1)).toBe("a accepted 11-21T14:00");
  });

  it("are evaluated again when the agent changed during the evaluation", async () => {
    const agentId = await world.addAgent({ conditions: { a: HOURLY } });
    const { receiver } = world.startServer();
    let hasChanged = false;
    const server = world.startServer({
      async receive(delivery) {
        if (!hasChanged) await update("update agents set updated_at = updated_at + interval '1 s'");
        hasChanged = true;
        return receiver.receive(delivery);
      },
    });
    world.clock.advance(HOUR_MS);
    await server.round();
    expect(await world.signals(agentId)).toEqual([]);
    world.clock.advance(2_000);
    await server.round();
    expect(await world.signals(agentId)).toEqual(["a accepted 11-21T09:00"]);
  });

  it("use the position that the agent entered", async () => {
    const twoBarsIn: AlertCondition = {
      kind: "comparisons",
      all: [
        {
          left: { kind: "position", figure: "bars-since-entry" },
          is: "above",
          right: { kind: "number", value: 1.5 },
        },
      ],
    };
    const agentId = await world.addAgent({ conditions: { a: twoBarsIn } });
    const server = world.startServer();
    const trade = async (signal: string) => {
      await world.database.db
        .insertInto("trade_log")
        .values({
          id: newTestId(),
          agent_id: agentId,
          chat_id: (await update("select chat_id from agents")).rows[0].chat_id,
          market: "SOL-PERP",
          signal,
          type: "market",
          side: "buy",
          status: "success",
          reason: null,
          base_size: "1000000000",
          base_decimals: 9,
          quote_total: "155000000",
          quote_decimals: 6,
          price: null,
          fee: null,
          signature: null,
          at: new Date(world.clock.now()),
        } as never)
        .execute();
    };
    const hours = async (count: number) => {
      for (let hour = 0; hour < count; hour += 1) {
        world.clock.advance(HOUR_MS);
        await server.round();
      }
    };
    await hours(2);
    await trade("OPEN_LONG");
    await hours(4);
    await trade("CLOSE_LONG");
    await hours(2);
    const fired = await world.signals(agentId);
    expect(fired).toEqual(["a accepted 11-21T13:00", "a accepted 11-21T14:00"]);
  });

  it("report why they cannot be evaluated, fire nothing meanwhile and resume by themselves", async () => {
    const agentId = await world.addAgent({ conditions: { a: HOURLY } });
    let isDown = true;
    const server = world.startServer({
      historyOf: () => ({
        bars: async (query) => {
          if (isDown) throw new CandleSourceError("unavailable", "The source answered 429");
          return world.history.bars(query);
        },
      }),
    });
    const market = {
      network: "practice",
      venue: "drift",
      marketId: "SOL-PERP",
      interval: "1h",
    } as const;
    world.clock.advance(HOUR_MS);
    await server.round();
    expect(await world.signals(agentId)).toEqual([]);
    expect((await world.troubleOf(market))?.text).toBe("The source answered 429.");
    expect(await world.troubleOf({ ...market, interval: "2h" })).toBeNull();
    isDown = false;
    world.clock.advance(MINUTE_MS);
    await server.round();
    expect(await world.troubleOf(market)).toBeNull();
    expect(await world.signals(agentId)).toEqual(["a accepted 11-21T09:00"]);
  });
});
