import { describe, expect, it, vi } from "vitest";
import {
  buildSimulatedAgent,
  buildSimulation,
  hourlyBars,
  NO_COSTS,
  SPOT,
  wanderingBars,
} from "../../test/simulated.ts";
import type { Plan } from "../domain/plan/plan.ts";
import type { Bar } from "./bar-times.ts";
import { gridParameters, withParameter } from "./grid.ts";
import { endMeasures } from "./measures.ts";
import { seededRandom } from "./random.ts";
import { reportOf } from "./report.ts";
import { simulate } from "./simulate.ts";
import { SimulatedAccount } from "./simulated-account.ts";
import type { SimulatedAgent, SimulationResult } from "./simulation.ts";

const percent = (bps: number) => ({ kind: "percent", bps }) as const;
const STOP: Plan = { stop: { at: percent(300) } };
const HALVES: Plan = {
  ...STOP,
  targets: [
    { at: percent(400), closePercent: 50 },
    { at: percent(800), closePercent: 50 },
  ],
};

/** Runs an agent that opens at the second bar's open and says how each part of its position ended, and at what price. */
function run(
  plan: Plan | null,
  rows: readonly (number | readonly number[])[],
  parts: Partial<SimulatedAgent> = {},
  fired: readonly (readonly [number, string])[] = [[0, "OPEN_LONG"]],
): SimulationResult {
  const agent = buildSimulatedAgent({ slippageBps: 500, positionSizePercent: 50, plan, ...parts });
  return simulate(buildSimulation(hourlyBars(rows), fired, { agent }));
}

const endsOf = ({ trades }: SimulationResult) =>
  trades.map(({ endedBy, exitPrice }) => `${endedBy} ${exitPrice / 1_000n}`);

describe("a simulated plan", () => {
  it.each([
    ["a stop at its price", STOP, [100, [100, 101, 96, 98]], ["stop 97000"]],
    [
      "a stop that the open jumped over at the open",
      STOP,
      [100, 100, [95, 96, 94, 95]],
      ["stop 95000"],
    ],
    [
      "the stop before a target of the same bar",
      HALVES,
      [100, [100, 109, 96, 108]],
      ["stop 97000"],
    ],
    [
      "targets, the nearest first",
      HALVES,
      [100, [100, 109, 99, 108]],
      ["target 104000", "target 108000"],
    ],
    [
      "a target that the open jumped over at the open",
      HALVES,
      [100, 100, [106, 106, 105, 105]],
      ["target 106000", "open 105000"],
    ],
    [
      "a trail by the extremes of earlier bars only",
      { stop: { at: percent(300), trail: { afterBps: 400, by: percent(200), stepBps: 50 } } },
      // The second bar reaches 110 and falls to 103: the trail of 107.5 holds from the third bar on
      [100, [100, 110, 103, 109], [109, 109, 107, 108]],
      ["trail 107500"],
    ],
    [
      "break-even",
      { stop: { at: percent(300), breakEvenAfterBps: 200 } },
      [100, [100, 103, 99, 102], [102, 102, 98, 99]],
      ["break_even 100000"],
    ],
    [
      "the bars to hold at the next open",
      { holdBars: 2 },
      [100, 100, 101, [102, 103, 101, 103]],
      ["hold 102000"],
    ],
  ] as const)("closes %s", (_, plan, rows, ends) => {
    expect(endsOf(run(plan, rows))).toEqual(ends);
  });

  it("closes shorts on their own side", () => {
    const rows = [100, [100, 104, 95, 96]];
    expect(endsOf(run(STOP, rows, {}, [[0, "OPEN_SHORT"]]))).toEqual(["stop 103000"]);
    const falls = run(HALVES, [100, [100, 101, 91, 92]], {}, [[0, "OPEN_SHORT"]]);
    expect(endsOf(falls)).toEqual(["target 96000", "target 92000"]);
  });

  it("pays for a stop that rested, not for a target, and shares the entry's costs among the parts", () => {
    const agent = buildSimulatedAgent({ plan: HALVES, slippageBps: 500 });
    const bars = hourlyBars([100, [100, 105, 99, 104], [104, 104, 96, 96]]);
    const costs = { ...NO_COSTS, feePpm: 1_000 };
    const {
      trades,
      endMoney,
      costs: paid,
    } = simulate(buildSimulation(bars, [[0, "OPEN_LONG"]], { agent, costs }));
    // 994 at 100 is 9.94: 0.497 for each half of the entry, 0.516880 and 0.482090 for the exits, 0.01 for the trigger
    expect(trades.map(({ baseSize, fees }) => [baseSize, fees])).toEqual([
      [4_970_000_000n, 497_000n + 516_880n],
      [4_970_000_000n, 497_000n + 482_090n + 10_000n],
    ]);
    expect(paid.fees).toBe(trades.reduce((sum, { fees }) => sum + fees, 0n));
    expect(endMoney).toBe(1_000_000_000n + trades.reduce((sum, { pnl }) => sum + pnl, 0n));
  });

  it("closes two targets at one price as one exit, rounded once", () => {
    const at = percent(400);
    const plan: Plan = {
      targets: [
        { at, closePercent: 25 },
        { at: percent(900), closePercent: 20 },
        { at, closePercent: 25 },
      ],
    };
    const agent = buildSimulatedAgent({ plan, slippageBps: 500 });
    const bars = hourlyBars([100, [100, 105, 99, 104]]);
    const costs = { ...NO_COSTS, baseStep: 3_000_000_000n };
    const { trades } = simulate(buildSimulation(bars, [[0, "OPEN_LONG"]], { agent, costs }));
    // Two quarters of 9 SOL are 4.5, in steps of 3 one step; a quarter alone is less than a step
    expect(trades.map(({ endedBy, baseSize }) => `${endedBy} ${baseSize}`)).toEqual([
      "target 3000000000",
      "open 6000000000",
    ]);
  });

  it("takes no target by a price of the bar that came before its add", () => {
    const plan: Plan = {
      adds: { on: { kind: "against", bps: 200 }, times: 1, sizePercent: 100 },
      targets: [{ at: percent(50), closePercent: 100 }],
      maxPositionPercent: 100,
    };
    // Both halves cost 99 on average: the open of 100 is beyond 99.495, and the add at 98 came after it
    expect(endsOf(run(plan, [100, [100, 100, 97, 97.5], 98]))).toEqual(["open 98000"]);
    expect(endsOf(run(plan, [100, [100, 100, 97, 99.6]]))).toEqual(["target 99495"]);
  });

  it("moves no stop by a price of the bar that came before its add", () => {
    const plan: Plan = {
      stop: { at: percent(500), breakEvenAfterBps: 50 },
      adds: { on: { kind: "against", bps: 155 }, times: 1, sizePercent: 100 },
      maxPositionPercent: 100,
    };
    // The open of 100 is 0.8 % above the average of both halves, and the add at 98.45 came after it
    expect(endsOf(run(plan, [100, [100, 100, 98, 98.2], 98]))).toEqual(["open 98000"]);
    const gained = run(plan, [100, [100, 100, 98, 99.9], [99.9, 99.9, 98, 98]]);
    expect(endsOf(gained)).toEqual(["break_even 99225"]);
  });

  it("adds against the position before it is stopped, and stops the whole", () => {
    const plan: Plan = {
      stop: { at: percent(300) },
      adds: { on: { kind: "against", bps: 100 }, times: 2, sizePercent: 50 },
      maxPositionPercent: 100,
    };
    const { trades, orders } = run(plan, [100, [100, 100, 94, 95]]);
    const [entry] = orders;
    // Added at 99, and at 2 % below the average of 99.666666; the stop is 3 % below the average of both
    expect(trades).toMatchObject([{ endedBy: "stop", baseSize: 2n * (entry?.baseSize ?? 0n) }]);
    expect(trades[0]?.entryPrice).toBe(99_168_332n);
    expect(trades[0]?.exitPrice).toBe(96_193_283n);
  });

  it("adds on a further signal, closes part by a rule, then the rest", () => {
    const plan: Plan = {
      adds: { on: { kind: "signal" }, times: 1, sizePercent: 100 },
      maxPositionPercent: 100,
    };
    const rules = buildSimulatedAgent().rules.map((rule) =>
      rule.action === "CLOSE_LONG" ? { ...rule, portion: 25 } : rule,
    );
    const fired = [
      [0, "OPEN_LONG"],
      [1, "OPEN_LONG"],
      [2, "OPEN_LONG"],
      [3, "CLOSE_LONG"],
      [4, "CLOSE_LONG"],
    ] as const;
    const { trades, refusals, refusedAdds, orders } = run(
      plan,
      [100, 100, 100, 100, 100, 100],
      { rules },
      fired,
    );
    const whole = 2n * (orders[0]?.baseSize ?? 0n);
    expect(trades.map(({ baseSize, endedBy }) => [baseSize, endedBy])).toEqual([
      [whole / 4n, "signal"],
      [(whole - whole / 4n) / 4n, "signal"],
      [whole - whole / 4n - (whole - whole / 4n) / 4n, "open"],
    ]);
    expect([refusals, refusedAdds]).toEqual([{}, { adds_done: 1 }]);
  });

  it("says why an add was not made, on a signal and at a price, as the trade log does", () => {
    const adds = { on: { kind: "signal" }, times: 3, sizePercent: 100 } as const;
    const twice = [
      [0, "OPEN_LONG"],
      [1, "OPEN_LONG"],
    ] as const;
    const refused = (plan: Plan, rows: Parameters<typeof run>[1], parts = {}) => {
      const { refusedAdds, refusals, trades } = run(plan, rows, parts, twice);
      expect([refusals, trades.length]).toEqual([{}, 1]);
      return refusedAdds;
    };
    const far = [100, 100, [102, 102, 102, 102], 102];
    const whole = { maxPositionPercent: 100 };
    expect(refused({ adds, ...whole }, far, { slippageBps: 150, positionSizePercent: 50 })).toEqual(
      {
        not_filled: 1,
      },
    );
    const risen = [100, [100, 105, 100, 105], 105];
    expect(refused({ adds }, risen)).toEqual({ position_full: 1 });
    const favour = { on: { kind: "favour", bps: 500 }, times: 1, sizePercent: 100 } as const;
    const atLevel = run({ adds: favour }, [100, 100, [100, 106, 100, 106], 106]);
    expect(atLevel.refusedAdds).toEqual({ position_full: 2 });
    const { sentences } = reportOf(atLevel, 6, seededRandom(1));
    expect(sentences).toContain(
      "2 adds were not made: The position is as large as the agent's plan allows.",
    );
  });

  it("sizes an add on a signal at the close that caused it and holds its fill to the slippage from there, as an entry's", () => {
    const plan: Plan = {
      adds: { on: { kind: "signal" }, times: 1, sizePercent: 100 },
      maxPositionPercent: 100,
    };
    const fired = [
      [0, "OPEN_LONG"],
      [1, "OPEN_LONG"],
    ] as const;
    const rows = [100, 100, [102, 102, 102, 102], 102];
    const sizesWith = (slippageBps: number) => {
      const parts = { slippageBps, positionSizePercent: 50 };
      const { trades, orders } = run(plan, rows, parts, fired);
      return [trades[0]?.baseSize, orders[0]?.baseSize ?? 0n] as const;
    };
    const [held, first] = sizesWith(150);
    expect(held).toBe(first);
    const [grown] = sizesWith(250);
    expect(grown).toBeGreaterThan(first);
  });

  it("multiplies an entry by the leverage", () => {
    const once = run(STOP, [100, 100]).orders[0]?.baseSize ?? 0n;
    const thrice = run(STOP, [100, 100], { leverage: 3 }).orders[0]?.baseSize ?? 0n;
    expect(thrice - 3n * once >= 0n && thrice - 3n * once <= 3n).toBe(true);
  });

  it("is liquidated with leverage where a price jumps over stop and liquidation, and stopped before it elsewhere", () => {
    const parts = { leverage: 5, positionSizePercent: 100 };
    const plan: Plan = { stop: { at: percent(800) } };
    // 49.7 held for each 10 of money: liquidation is at 88.75
    expect(endsOf(run(plan, [100, [100, 101, 80, 82]], parts))).toEqual(["stop 92000"]);
    const jumped = run(plan, [100, 100, [89, 90, 88, 89]], parts);
    expect(endsOf(jumped)).toEqual(["stop 89000"]);
    const liquidated = run(plan, [100, 100, [85, 86, 84, 85]], parts);
    expect(endsOf(liquidated)).toEqual(["liquidation 85000"]);
    expect(endsOf(run(plan, [100, 100, [85, 86, 84, 85]]))).toEqual(["stop 85000"]);
    expect(liquidated.endMoney * 3n < jumped.endMoney * 2n).toBe(true);
  });

  it("measures a stop by the ATR of the closed bars before the entry", () => {
    const plan: Plan = { stop: { at: { kind: "atr", length: 14, timesHundredths: 200 } } };
    const quiet = Array.from({ length: 300 }, () => [100, 101, 99, 100]);
    const rows = [...quiet, [100, 100, 90, 95]];
    const agent = buildSimulatedAgent({ slippageBps: 500, plan });
    const result = simulate(buildSimulation(hourlyBars(rows), [[299, "OPEN_LONG"]], { agent }));
    expect(endsOf(result)).toEqual(["stop 96000"]);
  });
});

describe("what a plan adds to the result page", () => {
  const { trades } = run(HALVES, [100, [100, 105, 99, 104], [104, 104, 96, 96]]);

  it("sums trades by what ended them", () => {
    const shown = endMeasures(trades).map((each) => [each.endedBy, each.trades, each.pnl > 0n]);
    expect(shown).toEqual([
      ["target", 1, true],
      ["stop", 1, false],
    ]);
  });

  it("lets a grid vary stop, trail, targets and time", () => {
    const plan: Plan = {
      ...HALVES,
      stop: { at: percent(300), trail: { afterBps: 400, by: percent(200), stepBps: 50 } },
      holdBars: 8,
    };
    const agent = buildSimulatedAgent({ plan });
    const parameters = gridParameters(agent);
    expect(parameters.map(({ label, value }) => `${label} ${value}`)).toEqual([
      "Stop, % 3",
      "Trail, % 2",
      "Target 1, % 4",
      "Target 2, % 8",
      "Bars to hold 8",
    ]);
    const changed = parameters.reduce(
      (each, { id, value }) => withParameter(each, id, value * 1.5),
      agent,
    );
    expect(changed.plan).toEqual({
      stop: { at: percent(450), trail: { afterBps: 400, by: percent(300), stepBps: 50 } },
      targets: [
        { at: percent(600), closePercent: 50 },
        { at: percent(1_200), closePercent: 50 },
      ],
      holdBars: 12,
    });
  });
});

/** A plan, leverage and firings made up from a seed. */
function made(seed: number, bars: readonly Bar[]) {
  const random = seededRandom(seed);
  const upTo = (most: number) => Math.floor(random() * most) + 1;
  const isPerpetual = random() < 0.7;
  const stop = upTo(500) + 50;
  const size = upTo(40) + 10;
  const kind = (["signal", "against", "favour"] as const)[upTo(3) - 1] ?? "signal";
  const [first, beyond] = [upTo(300), upTo(300)];
  const plan: Plan = {
    stop: {
      at: random() < 0.7 ? percent(stop) : { kind: "atr", length: 14, timesHundredths: 300 },
      ...(random() < 0.5 && {
        trail: { afterBps: upTo(300), by: percent(upTo(200) + 20), stepBps: upTo(50) },
      }),
      ...(random() < 0.3 && { breakEvenAfterBps: upTo(300) }),
    },
    ...(random() < 0.6 && {
      targets: [
        { at: percent(first), closePercent: upTo(60) },
        // Every fourth plan has two targets at one price
        { at: percent(seed % 4 === 0 ? first : 300 + beyond), closePercent: upTo(40) },
      ],
    }),
    ...(random() < 0.6 && {
      adds: {
        on: kind === "signal" ? { kind } : { kind, bps: upTo(100) },
        times: upTo(5),
        sizePercent: upTo(100),
      },
      maxPositionPercent: size + upTo(50),
    }),
    ...(random() < 0.3 && { holdBars: upTo(20) }),
  };
  const signals = ["OPEN_LONG", "CLOSE_LONG", "OPEN_SHORT", "CLOSE_SHORT"] as const;
  const fired = bars.flatMap((_, at) =>
    random() < 0.15 ? [[at, signals[upTo(4) - 1] ?? "OPEN_LONG"] as const] : [],
  );
  const base = buildSimulatedAgent();
  const agent = buildSimulatedAgent({
    plan,
    leverage: isPerpetual ? upTo(3) : 1,
    positionSizePercent: size,
    slippageBps: 500,
    rules: base.rules.map((rule) =>
      rule.action.startsWith("CLOSE") ? { ...rule, portion: upTo(100) } : rule,
    ),
    ...(isPerpetual ? {} : { market: SPOT }),
  });
  return { agent, fired };
}

const SEEDS = Array.from({ length: 200 }, (_, seed) => seed);
const costs = {
  ...NO_COSTS,
  feePpm: 350,
  halfSpreadPpm: 100,
  fundingPpmPerDay: 100,
  baseStep: 1_000n,
};

describe("what a simulated plan holds over 200 seeds", () => {
  it("is not changed before a cut of the history", () => {
    const reasons = new Set<string>();
    for (const seed of SEEDS) {
      const bars = wanderingBars(360, seed);
      const { agent, fired } = made(seed, bars);
      const whole = simulate(buildSimulation(bars, fired, { agent, costs }));
      const cut = 260 + (seed % 90);
      const part = simulate(buildSimulation(bars.slice(0, cut), fired, { agent, costs }));
      const lastMs = bars[cut - 1]?.closeTimeMs ?? 0;
      const closedBy = ({ trades }: SimulationResult) =>
        trades.filter(({ exitedAtMs }) => exitedAtMs !== null && exitedAtMs <= lastMs);
      expect(closedBy(part)).toEqual(closedBy(whole).slice(0, closedBy(part).length));
      const places = part.equity.length - 1;
      expect(part.equity.slice(0, places)).toEqual(whole.equity.slice(0, places));
      for (const { endedBy } of whole.trades) reasons.add(endedBy);
    }
    const all = ["break_even", "hold", "open", "signal", "stop", "target", "trail"];
    expect(all.filter((each) => !reasons.has(each))).toEqual([]);
  });

  it("closes parts that sum to what was bought, targets at one price at once, and keeps the money it books", () => {
    const opened = vi.spyOn(SimulatedAccount.prototype, "open");
    const added = vi.spyOn(SimulatedAccount.prototype, "add");
    for (const seed of SEEDS) {
      const bars = wanderingBars(360, seed);
      const { agent, fired } = made(seed, bars);
      const result = simulate(buildSimulation(bars, fired, { agent, costs }));
      const pnl = result.trades.reduce((sum, trade) => sum + trade.pnl, 0n);
      expect(result.endMoney).toBe(result.startMoney + pnl);
      const fees = result.trades.reduce((sum, trade) => sum + trade.fees, 0n);
      expect(result.costs.fees).toBe(fees);
      const bought = [...opened.mock.calls, ...added.mock.calls];
      const parts = result.trades.reduce((sum, { baseSize }) => sum + baseSize, 0n);
      expect(parts).toBe(bought.reduce((sum, [baseSize]) => sum + baseSize, 0n));
      const targets = result.trades
        .filter(({ endedBy }) => endedBy === "target")
        .map((each) => `${each.enteredAtMs} ${each.exitedAtMs} ${each.exitPrice}`);
      expect(targets).toEqual([...new Set(targets)]);
      opened.mockClear();
      added.mockClear();
    }
    opened.mockRestore();
    added.mockRestore();
  });

  it("never adds beyond the largest position and leverage", () => {
    let adds = 0;
    for (const seed of SEEDS) {
      const bars = wanderingBars(360, seed);
      const { agent, fired } = made(seed, bars);
      const most = agent.plan?.maxPositionPercent ?? agent.positionSizePercent;
      const percentOfAll = BigInt(most * (agent.leverage ?? 1));
      const book = SimulatedAccount.prototype.add;
      const adding = vi.spyOn(SimulatedAccount.prototype, "add");
      adding.mockImplementation(function (this: SimulatedAccount, ...added) {
        const [baseSize, , bar, price] = added;
        const { portfolioValue } = this.stateAt(price, bar.openTimeMs);
        const held = (this.held?.baseSize ?? 0n) + baseSize;
        expect(held * price <= (portfolioValue * percentOfAll * 10n ** 9n) / 100n).toBe(true);
        adds += 1;
        book.apply(this, added);
      });
      simulate(buildSimulation(bars, fired, { agent, costs }));
      adding.mockRestore();
    }
    expect(adds).toBeGreaterThan(100);
  });

  it("is exactly as without the field where there is no plan", () => {
    for (const seed of SEEDS.slice(0, 20)) {
      const bars = wanderingBars(360, seed);
      const { fired } = made(seed, bars);
      const without = buildSimulatedAgent();
      const none = { ...without, plan: null, leverage: 1 };
      expect(simulate(buildSimulation(bars, fired, { agent: none, costs }))).toEqual(
        simulate(buildSimulation(bars, fired, { agent: without, costs })),
      );
    }
  });
});
