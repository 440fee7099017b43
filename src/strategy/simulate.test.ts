import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  FIRST_BAR_MS,
  NO_COSTS,
  buildSimulatedAgent,
  buildSimulation,
  hourlyBars,
  wanderingBars,
} from "../../test/simulated.ts";
import type { AlertCondition } from "../domain/condition/condition.ts";
import type { Bar } from "./bar-times.ts";
import { simulate } from "./simulate.ts";
import type { SimulationCosts, SimulationInput, SimulationResult } from "./simulation.ts";

const HOUR_MS = 3_600_000;
const bars = hourlyBars([100, [100, 104, 99, 103], [105, 112, 104, 110], [120, 121, 119, 120]]);
const costs = (parts: Partial<SimulationCosts>) => ({ costs: { ...NO_COSTS, ...parts } });

describe("simulate", () => {
  it("fills at the next bar's open, with the size from the close that caused it", () => {
    const wide = { agent: buildSimulatedAgent({ slippageBps: 500 }) };
    const fired = [
      [1, "OPEN_LONG"],
      [2, "CLOSE_LONG"],
    ] as const;
    const { orders, trades, endMoney, equity } = simulate(buildSimulation(bars, fired, wide));
    // 1,000 less 0.6 % is 994, at a price of 103
    const baseSize = 9_650_485_436n;
    expect(
      orders.map(({ signal, decidedAtMs, fill }) => [signal, decidedAtMs, fill?.price]),
    ).toEqual([
      ["OPEN_LONG", FIRST_BAR_MS + 2 * HOUR_MS, 105_000_000n],
      ["CLOSE_LONG", FIRST_BAR_MS + 3 * HOUR_MS, 120_000_000n],
    ]);
    expect(orders[0]).toMatchObject({ baseSize, referencePrice: 103_000_000n, refusal: null });
    expect(trades).toMatchObject([
      { side: "long", baseSize, pnl: 144_757_281n, bars: 1, endedBy: "signal" },
    ]);
    expect(endMoney).toBe(1_144_757_281n);
    expect([...equity].map((each) => Math.round(each * 100) / 100)).toEqual([
      1000, 1000, 1048.25, 1144.76,
    ]);
  });

  it("closes an opposite position first, then opens, both at the same open", () => {
    const flat = hourlyBars([100, 100, 100, 100]);
    const fired = [
      [0, "OPEN_LONG"],
      [1, "OPEN_SHORT"],
    ] as const;
    const { orders, trades } = simulate(buildSimulation(flat, fired));
    expect(
      orders.map(({ signal, leg, fill }) => [signal, leg, fill?.side, fill?.reduceOnly]),
    ).toEqual([
      ["OPEN_LONG", 0, "long", false],
      ["OPEN_SHORT", 0, "short", true],
      ["OPEN_SHORT", 1, "short", false],
    ]);
    expect(trades.map(({ side, endedBy }) => [side, endedBy])).toEqual([
      ["long", "signal"],
      ["short", "open"],
    ]);
  });

  it.each<[string, readonly (readonly [number, string])[], Partial<SimulationInput>, string]>([
    [
      "a long beside a long",
      [
        [0, "OPEN_LONG"],
        [1, "OPEN_LONG"],
      ],
      {},
      "already_long",
    ],
    ["a closing of nothing", [[0, "CLOSE_LONG"]], {}, "nothing_to_close"],
    [
      "an entry below the minimum",
      [[0, "OPEN_LONG"]],
      costs({ minBaseSize: 10n ** 12n }),
      "below_minimum",
    ],
    [
      "an entry below one step",
      [[0, "OPEN_LONG"]],
      costs({ baseStep: 10n ** 12n }),
      "below_minimum",
    ],
    ["a price beyond the slippage", [[1, "OPEN_LONG"]], {}, "not_filled"],
    ["an account without money", [[0, "OPEN_LONG"]], { startMoney: 0n }, "size_too_small"],
  ])("refuses %s as live trading does", (_name, fired, parts, reason) => {
    const { refusals, orders } = simulate(buildSimulation(bars, fired, parts));
    expect(refusals).toEqual({ [reason]: 1 });
    expect(orders.at(-1)).toMatchObject({ refusal: reason, fill: null });
  });

  it("denies entries across a gap, and lets a closing wait", () => {
    const [first, second, ...rest] = hourlyBars([100, 100, 100, 100, 100]);
    const gapped = [first, second, ...rest.slice(1)] as Bar[];
    const opened = simulate(buildSimulation(gapped, [[1, "OPEN_LONG"]]));
    expect(opened.refusals).toEqual({ stale_price: 1 });
    const closed = simulate(
      buildSimulation(gapped, [
        [0, "OPEN_LONG"],
        [1, "CLOSE_LONG"],
      ]),
    );
    expect(closed).toMatchObject({ refusals: {}, gaps: 1, trades: [{ endedBy: "signal" }] });
  });

  it("stops entries after five failures, as the risk checks do", () => {
    const jumps = hourlyBars(Array.from({ length: 8 }, (_, at) => 100 * 1.1 ** at));
    const fired = Array.from({ length: 7 }, (_, at) => [at, "OPEN_LONG"] as const);
    expect(simulate(buildSimulation(jumps, fired)).refusals).toEqual({
      not_filled: 5,
      failures: 2,
    });
  });

  it("stops entries for the rest of a day after a loss of a tenth", () => {
    const falls = hourlyBars([100, 100, [100, 100, 80, 80], 80, 80, 80]);
    const fired = [
      [0, "OPEN_LONG"],
      [2, "CLOSE_LONG"],
      [3, "OPEN_LONG"],
    ] as const;
    expect(simulate(buildSimulation(falls, fired)).refusals).toEqual({ loss_limit: 1 });
  });

  it("charges funding for the holding time, from long to short", () => {
    const days = hourlyBars(Array.from({ length: 26 }, () => 100));
    const fired = [
      [0, "OPEN_LONG"],
      [24, "CLOSE_LONG"],
    ] as const;
    // 994 held for 24 hours at 0.1 % a day
    const long = simulate(buildSimulation(days, fired, costs({ fundingPpmPerDay: 1_000 })));
    expect(long.trades).toMatchObject([{ funding: 994_000n, pnl: -994_000n, bars: 24 }]);
    expect(long).toMatchObject({ endMoney: 999_006_000n, costs: { funding: 994_000n } });
    const shorted = [
      [0, "OPEN_SHORT"],
      [24, "CLOSE_SHORT"],
    ] as const;
    const short = simulate(buildSimulation(days, shorted, costs({ fundingPpmPerDay: 1_000 })));
    expect(short.trades).toMatchObject([{ funding: -994_000n, pnl: 994_000n }]);
  });

  it("is liquidated at the venue's price inside a bar, or at a worse open", () => {
    // 9.94 short at 100 with 1,000: only the maintenance margin of a tenth is left at 1,994 / (9.94 * 1.1) = 182.37
    const within = hourlyBars([100, 100, [150, 200, 150, 190], 190]);
    const { trades, endMoney } = simulate(buildSimulation(within, [[0, "OPEN_SHORT"]]));
    expect(trades).toMatchObject([{ endedBy: "liquidation", exitPrice: 182_366_929n }]);
    expect(endMoney).toBe(181_272_725n);
    const beyond = hourlyBars([100, 100, [195, 200, 195, 195], 195]);
    expect(simulate(buildSimulation(beyond, [[0, "OPEN_SHORT"]])).trades).toMatchObject([
      { exitPrice: 195_000_000n },
    ]);
  });

  it("adds up every cost once", () => {
    const flat = hourlyBars([100, 100, 100]);
    const fired = [
      [0, "OPEN_LONG"],
      [1, "CLOSE_LONG"],
    ] as const;
    const all = costs({
      feePpm: 350,
      halfSpreadPpm: 250,
      impactPpm: 100,
      baseStep: 1_000_000_000n,
    });
    const result = simulate(buildSimulation(flat, fired, all));
    // 9 assets both ways: 0.225 of spread and 0.0081 of impact each, 0.3150816 and 0.3149184 of fees, rounded up
    const { fees, spread, impact, funding } = result.costs;
    expect({ fees, spread, impact, funding }).toEqual({
      fees: 630_001n,
      spread: 450_000n,
      impact: 16_200n,
      funding: 0n,
    });
    expect(result.endMoney).toBe(1_000_000_000n - fees - spread - impact);
    expect(result.trades).toMatchObject([{ pnl: -(fees + spread + impact) }]);
  });

  it("takes funding and spreads of the past where they are known, and the present ones elsewhere", () => {
    const flat = hourlyBars(Array.from({ length: 12 }, () => 100));
    const fired = [
      [0, "OPEN_LONG"],
      [9, "CLOSE_LONG"],
    ] as const;
    const at = (hours: number) => FIRST_BAR_MS + hours * HOUR_MS;
    const wide = new Date(at(1)).getUTCHours();
    const all = costs({
      halfSpreadPpm: 250,
      fundingPpmPerDay: 1_200,
      baseStep: 1_000_000_000n,
      halfSpreadPpmByHour: Array.from({ length: 24 }, (_, hour) => (hour === wide ? 1_000 : null)),
      publishedFunding: { atMs: [at(2), at(4), at(8)], ppm: [100, -50, 400] },
    });
    const { funding, spread } = simulate(buildSimulation(flat, fired, all)).costs;
    // Nine assets of 100 from the first to the tenth hour: half of 100, -50, 400, and two hours of 1,200 a day
    expect(funding).toBe(450_000n);
    // 1,000 millionths where it was measured, 250 elsewhere
    expect(spread).toBe(1_125_000n);
  });

  it("charges an open position at the end with its closing cost", () => {
    const flat = hourlyBars([100, 100, 100]);
    const all = costs({ feePpm: 350, halfSpreadPpm: 250, impactPpm: 100, baseStep: 10n ** 9n });
    const closed = simulate(
      buildSimulation(
        flat,
        [
          [0, "OPEN_LONG"],
          [1, "CLOSE_LONG"],
        ],
        all,
      ),
    );
    const open = simulate(buildSimulation(flat, [[0, "OPEN_LONG"]], all));
    expect(open.trades).toMatchObject([{ endedBy: "open", exitedAtMs: null }]);
    expect(open).toMatchObject({ endMoney: closed.endMoney, costs: closed.costs });
    expect(open.trades[0]?.pnl).toBe(closed.trades[0]?.pnl);
    expect(open.equity.at(-1)).toBe(Number(closed.endMoney) / 1e6);
  });

  it("fills an alert at a bar's close at the next open, and a later alert at the open after", () => {
    const rising = hourlyBars([100, 100, 101, 102]);
    const at = (ms: number) => ({
      kind: "recorded" as const,
      firings: [{ alertKey: "OPEN_LONG", atMs: FIRST_BAR_MS + HOUR_MS + ms }],
    });
    const wide = { agent: buildSimulatedAgent({ slippageBps: 500 }) };
    const orderOf = (ms: number) =>
      simulate(buildSimulation(rising, [], { ...wide, firings: at(ms) })).orders[0];
    expect(orderOf(0)).toMatchObject({
      fill: { price: 100_000_000n },
      signalledAtMs: FIRST_BAR_MS + HOUR_MS,
    });
    expect(orderOf(1)).toMatchObject({
      fill: { price: 101_000_000n },
      signalledAtMs: FIRST_BAR_MS + HOUR_MS + 1,
      decidedAtMs: FIRST_BAR_MS + 2 * HOUR_MS,
    });
  });

  it("fills a file's order at its bar's open if the price matches, else at the next", () => {
    const rising = hourlyBars([100, 100, [102, 104, 102, 104], 104]);
    const priced = (price: number) => ({
      agent: buildSimulatedAgent({ slippageBps: 1_000 }),
      firings: {
        kind: "recorded" as const,
        firings: [{ alertKey: "OPEN_LONG", atMs: FIRST_BAR_MS + 2 * HOUR_MS, price }],
      },
    });
    const filledAt = (price: number) =>
      simulate(buildSimulation(rising, [], priced(price))).orders[0]?.fill?.price;
    expect(filledAt(102.1)).toBe(102_000_000n);
    expect(filledAt(103)).toBe(104_000_000n);
  });

  it("is empty without bars", () => {
    expect(simulate(buildSimulation([], []))).toMatchObject({
      endMoney: 1_000_000_000n,
      trades: [],
    });
  });
});

/** A random walk of connected bars, with alerts at random closes. */
const history = fc
  .record({
    steps: fc.array(fc.integer({ min: -40, max: 40 }), { minLength: 5, maxLength: 60 }),
    fired: fc.array(
      fc.tuple(
        fc.nat({ max: 60 }),
        fc.constantFrom("OPEN_LONG", "CLOSE_LONG", "OPEN_SHORT", "CLOSE_SHORT"),
      ),
      { maxLength: 40 },
    ),
  })
  .map(({ steps, fired }) => {
    let price = 128;
    const rows = steps.map((step) => {
      const open = price;
      price = Math.max(8, open + step / 16);
      return [open, Math.max(open, price) + 0.5, Math.min(open, price) - 0.5, price];
    });
    return { bars: hourlyBars(rows), fired: fired.toSorted(([a], [b]) => a - b) };
  });

const parts = {
  agent: buildSimulatedAgent({ slippageBps: 500 }),
  ...costs({ feePpm: 350, halfSpreadPpm: 250, impactPpm: 100, fundingPpmPerDay: 300 }),
};

const untilClose = (result: SimulationResult, endMs: number) => ({
  orders: result.orders.filter(({ decidedAtMs }) => decidedAtMs < endMs),
  trades: result.trades.filter(({ exitedAtMs }) => exitedAtMs !== null && exitedAtMs < endMs),
});

/** A cut run is worth what the whole was, less what closing its open position at the cut would cost. */
function expectSameEquity(part: SimulationResult, whole: SimulationResult): void {
  const last = part.equity.length - 1;
  if (last < 0) return;
  expect([...part.equity].slice(0, last)).toEqual([...whole.equity].slice(0, last));
  const isWhole = last === whole.equity.length - 1;
  const { fee = 0n, spreadCost = 0n, impactCost = 0n } = (isWhole ? null : part.exit) ?? {};
  const cost = Number(fee + spreadCost + impactCost) / 1e6;
  expect(part.equity[last]).toBeCloseTo((whole.equity[last] ?? 0) - cost, 5);
}

const rsi = { kind: "indicator", name: "RSI", output: "value", parameters: [5] } as const;
const average = { kind: "indicator", name: "EMA", output: "value", parameters: [8] } as const;
const close = { kind: "price", field: "close" } as const;
const when = (...all: Extract<AlertCondition, { kind: "comparisons" }>["all"]): AlertCondition => ({
  kind: "comparisons",
  all,
});

/** Conditions for each of the four alerts; none compares with a fixed price. */
const conditions: readonly AlertCondition[] = [
  when({ left: rsi, is: "crosses-below", right: { kind: "number", value: 35 } }),
  when({
    left: { kind: "position", figure: "profit-percent" },
    is: "above",
    right: { kind: "number", value: 1 },
  }),
  when({ left: close, is: "crosses-above", right: average }),
  when({
    left: { kind: "position", figure: "bars-since-entry" },
    is: "above",
    right: { kind: "number", value: 3 },
  }),
];

const onConditions = (all: readonly Bar[], from: number) => {
  const plain = buildSimulatedAgent({ slippageBps: 500 });
  const alerts = plain.alerts.map((alert, at) => ({
    ...alert,
    condition: conditions[(at + from) % conditions.length],
  }));
  const agent = { ...plain, alerts };
  return buildSimulation(all, [], { ...parts, agent, firings: { kind: "conditions" } });
};

describe("the result of conditions", () => {
  it("trades only after the warm-up, and does not change when the history is cut anywhere", () => {
    let trades = 0;
    fc.assert(
      fc.property(
        fc.nat(),
        fc.integer({ min: 201, max: 300 }),
        fc.nat({ max: 3 }),
        (seed, cut, from) => {
          const all = wanderingBars(300, seed);
          const whole = simulate(onConditions(all, from));
          const part = simulate(onConditions(all.slice(0, cut), from));
          const endMs = all[cut - 1]?.closeTimeMs ?? 0;
          trades += whole.trades.length;
          expect(whole).toMatchObject({ warmUpBars: 200 });
          expectSameEquity(part, whole);
          expect(part.orders).toEqual(untilClose(whole, endMs).orders);
        },
      ),
      { numRuns: 1_000 },
    );
    expect(trades).toBeGreaterThan(1_000);
  });
});

describe("the past of a simulation", () => {
  it("does not change when the history is cut anywhere", () => {
    fc.assert(
      fc.property(history, fc.nat(), ({ bars: all, fired }, where) => {
        const cut = 1 + (where % all.length);
        const whole = simulate(buildSimulation(all, fired, parts));
        const part = simulate(buildSimulation(all.slice(0, cut), fired, parts));
        const endMs = all[cut - 1]?.closeTimeMs ?? 0;
        expectSameEquity(part, whole);
        expect(untilClose(part, endMs)).toEqual(untilClose(whole, endMs));
        expect(part.orders).toEqual(untilClose(whole, endMs).orders);
      }),
      { numRuns: 1_000 },
    );
  });

  it("is the same when all prices are scaled by a factor", () => {
    fc.assert(
      fc.property(history, fc.constantFrom(0.25, 2, 1_024), ({ bars: all, fired }, factor) => {
        const scaled = all.map((bar) => ({
          ...bar,
          open: bar.open * factor,
          high: bar.high * factor,
          low: bar.low * factor,
          close: bar.close * factor,
        }));
        const shape = (each: SimulationResult) =>
          each.orders.map(({ signal, leg, decidedAtMs, refusal }) => [
            signal,
            leg,
            decidedAtMs,
            refusal,
          ]);
        const before = simulate(buildSimulation(all, fired, parts));
        const after = simulate(buildSimulation(scaled, fired, parts));
        expect(shape(after)).toEqual(shape(before));
        expect(Number(after.endMoney)).toBeCloseTo(Number(before.endMoney), -4);
      }),
      { numRuns: 200 },
    );
  });

  it("is identical in a second run, and adds up", () => {
    fc.assert(
      fc.property(history, ({ bars: all, fired }) => {
        const input = buildSimulation(all, fired, parts);
        const result = simulate(input);
        expect(simulate(input)).toEqual(result);
        const gained = result.trades.reduce((sum, { pnl }) => sum + pnl, 0n);
        expect(result.endMoney).toBe(result.startMoney + gained);
        expect(result.equity.at(-1)).toBeCloseTo(Number(result.endMoney) / 1e6, 4);
      }),
      { numRuns: 200 },
    );
  });
});
