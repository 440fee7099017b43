import { describe, expect, it } from "vitest";
import {
  buildSimulation,
  FIRST_BAR_MS,
  hourlyBars,
  NO_COSTS,
  wanderingBars,
} from "../../test/simulated.ts";
import { type ReadinessFigures, readinessOf, USUAL_READINESS_BAR } from "../domain/readiness.ts";
import type { FiringSource } from "./firing-source.ts";
import { measuresOf } from "./measures.ts";
import { seededRandom } from "./random.ts";
import {
  divergenceOf,
  gapsOf,
  PARTING_CAUSES,
  type PartingCause,
  type RealTrade,
  replay,
  type ReplaySpan,
  simulatedOrders,
  tradedOrders,
} from "./replay.ts";
import { simulate } from "./simulate.ts";

const HOUR_MS = 3_600_000;
const at = (bar: number, laterMs = 2_000) => FIRST_BAR_MS + (bar + 1) * HOUR_MS + laterMs;
const bars = hourlyBars(Array.from({ length: 12 }, () => 100));
const result = simulate(
  buildSimulation(bars, [
    [0, "OPEN_LONG"],
    [1, "OPEN_LONG"],
    [2, "CLOSE_LONG"],
    [4, "OPEN_SHORT"],
    [6, "CLOSE_SHORT"],
  ]),
);
const real = (signal: string, atMs: number, parts: Partial<RealTrade> = {}): RealTrade => ({
  signal,
  atMs,
  hasTraded: true,
  price: 100_000_000n,
  baseSize: 2_000_000_000n,
  fee: 0n,
  reason: null,
  ...parts,
});
const span: ReplaySpan = {
  fromMs: FIRST_BAR_MS,
  toMs: FIRST_BAR_MS + 11 * HOUR_MS,
  intervalMs: HOUR_MS,
  gaps: [],
  slippageBps: 50,
  baseDecimals: 9,
  quoteDecimals: 6,
};

describe("replay", () => {
  it("shows where simulation and reality diverge, and by how much", () => {
    const rows = replay(
      simulatedOrders(result),
      [
        real("OPEN_LONG", at(0), { price: 101_000_000n }),
        real("CLOSE_LONG", at(2, HOUR_MS * 1.5), { price: 99_000_000n }),
        real("OPEN_SHORT", at(4), { hasTraded: false, price: null, reason: "stale_price" }),
        real("OPEN_LONG", at(9), { price: 98_000_000n }),
      ],
      span,
    );
    expect(rows).toMatchObject([
      { signal: "OPEN_LONG", parting: "together", lateMs: 2_000, realPrice: 101_000_000n },
      { signal: "CLOSE_LONG", parting: "late", lateMs: HOUR_MS * 1.5 },
      { signal: "OPEN_SHORT", parting: "refused", reason: "stale_price", realPrice: null },
      { signal: "CLOSE_SHORT", parting: "missing", lateMs: null },
      { signal: "OPEN_LONG", parting: "only_live", simulatedPrice: null, realPrice: 98_000_000n },
    ]);
    expect(rows.map(({ cause }) => cause)).toEqual([
      "slippage",
      "late_alert",
      "stale_price",
      "dropped_alert",
      "not_simulated",
    ]);
    // Two assets, one unit dearer bought and one cheaper sold
    expect(rows.map(({ priceCost }) => priceCost)).toEqual([
      2_000_000n,
      2_000_000n,
      null,
      null,
      null,
    ]);
    // Buying at 101 and selling at 99 both have one percent of slippage
    expect(rows[0]?.slippage).toBeCloseTo(0.01, 12);
    expect(rows[1]?.slippage).toBeCloseTo(0.01, 12);
  });

  it("compares nothing with an unclosed bar", () => {
    const rows = replay(
      simulatedOrders(result),
      [real("OPEN_LONG", at(9)), real("OPEN_LONG", at(10)), real("OPEN_LONG", at(10, HOUR_MS / 2))],
      { ...span, fromMs: at(8), toMs: at(10) },
    );
    expect(rows.map(({ parting }) => parting)).toEqual(["only_live", "only_live", "not_yet"]);
  });

  it("lists orders that the simulation refused and live trading filled, and nothing earlier", () => {
    const twice = [real("OPEN_LONG", at(0)), real("OPEN_LONG", at(1))];
    expect(
      replay(simulatedOrders(result), twice, { ...span, fromMs: at(0, 60_000) }),
    ).toMatchObject([
      { parting: "refused_here", reason: "already_long" },
      { parting: "missing" },
      { parting: "missing" },
      { parting: "missing" },
    ]);
  });
});

describe("replay of alerts close together", () => {
  it("gives a trade to the latest that can have caused it", () => {
    const close = buildSimulation(bars, [
      [0, "OPEN_LONG"],
      [1, "CLOSE_LONG"],
      [2, "OPEN_LONG"],
      [3, "CLOSE_LONG"],
    ]);
    const rows = replay(
      simulatedOrders(simulate(close)),
      [real("OPEN_LONG", at(2)), real("CLOSE_LONG", at(3))],
      span,
    );
    expect(rows.map(({ cause }) => cause)).toEqual(["dropped_alert", "dropped_alert", null, null]);
  });
});

describe("replay of closings", () => {
  it("that were tried again are one, and say why the first try failed", () => {
    const failed = { hasTraded: false, price: null, reason: "stale_price" };
    const [row, ...others] = replay(
      simulatedOrders(result),
      [
        real("CLOSE_SHORT", at(6), failed),
        real("CLOSE_SHORT", at(6, 60_000), failed),
        real("CLOSE_SHORT", at(6, 1.5 * HOUR_MS)),
      ],
      { ...span, fromMs: at(5) },
    );
    expect(others).toEqual([]);
    expect(row).toMatchObject({ parting: "late", cause: "stale_price", lateMs: 1.5 * HOUR_MS });
  });

  it("by the plan within a bar are the simulation's too", () => {
    const falling = hourlyBars([100, 100, 100, [100, 100, 90, 92], 92, 92]);
    const input = buildSimulation(falling, [[0, "OPEN_LONG"]]);
    const plan = { stop: { at: { kind: "percent", bps: 500 } } } as const;
    const stopped = simulate({ ...input, agent: { ...input.agent, plan } });
    const trades = [
      real("OPEN_LONG", at(0)),
      real("CLOSE_LONG", at(2, HOUR_MS / 4), { price: 95_000_000n }),
    ];
    expect(replay(simulatedOrders(stopped), trades, span).map(({ parting }) => parting)).toEqual([
      "together",
      "together",
    ]);
  });
});

/** Something that happens to one order of a world, by its cause; null trades as simulated. */
const FATES = [null, null, null, ...PARTING_CAUSES] as const;

/** A world in which a known fate befell each order, and what a report has to say of it. */
function world(seed: number) {
  const random = seededRandom(seed);
  const draw = (count: number) => Math.floor(random() * count);
  const bars = wanderingBars(400, seed);
  const signals: [number, string][] = [];
  for (let bar = 3; bar < 390; bar += 1 + draw(6)) {
    signals.push([bar, signals.length % 2 === 0 ? "OPEN_LONG" : "CLOSE_LONG"]);
  }
  // A gap also explains what neighbours did
  const isAlone = (atMs: number) =>
    signals.every(([bar]) => at(bar, 0) === atMs || Math.abs(at(bar, 0) - atMs) > 2 * HOUR_MS);
  const costs = { ...NO_COSTS, feePpm: 350, halfSpreadPpm: 100, baseStep: 1_000_000_000n };
  const input = buildSimulation(bars, signals, { costs, startMoney: 100_000_000_000n });
  const run = simulate({ ...input, agent: { ...input.agent, slippageBps: 5_000 } });
  const trades: RealTrade[] = [];
  const gaps: { fromMs: number; toMs: number }[] = [];
  const counts: Partial<Record<PartingCause, number>> = {};
  const moneyOf: Partial<Record<PartingCause, bigint>> = {};
  let [feeCost, priceCost, compared, matched] = [0n, 0n, 0, 0];
  for (const { signal, signalledAtMs, fill, baseSize } of run.orders) {
    if (fill === null) continue;
    const drawn = FATES[draw(FATES.length)] ?? null;
    // An entry that comes a bar late is refused, so that only a closing is late
    const isLateEntry = drawn === "late_alert" && signal === "OPEN_LONG";
    const fate = isLateEntry || (drawn === "gap" && !isAlone(signalledAtMs)) ? null : drawn;
    const extraFee = BigInt(draw(1_000));
    // Up to 0.5 % of a price of 8 or more
    const worse = fate === "slippage" ? fill.price / 100n : BigInt(draw(40_000) - 20_000);
    const sign = signal === "OPEN_LONG" ? 1n : -1n;
    const plain: RealTrade = {
      signal,
      atMs: signalledAtMs + 1_000 + draw(60_000),
      hasTraded: true,
      price: fill.price + sign * worse,
      baseSize,
      fee: fill.fee + extraFee,
      reason: null,
    };
    const whole = baseSize / 1_000_000_000n;
    const traded = () => {
      trades.push(plain);
      feeCost += extraFee;
      priceCost += worse * whole;
    };
    compared += 1;
    if (fate !== null) counts[fate] = (counts[fate] ?? 0) + 1;
    if (fate === null || fate === "slippage") {
      traded();
      matched += 1;
      if (fate !== null) moneyOf[fate] = (moneyOf[fate] ?? 0n) + worse * whole;
    } else if (fate === "late_alert") {
      const atMs = signalledAtMs + HOUR_MS + draw(HOUR_MS / 2);
      trades.push({ ...plain, atMs });
      feeCost += extraFee;
      priceCost += worse * whole;
      moneyOf[fate] = (moneyOf[fate] ?? 0n) + worse * whole;
    } else if (fate === "stale_price" || fate === "denied" || fate === "unfilled") {
      const reasons = {
        denied: "own_loss_limit",
        stale_price: "stale_price",
        unfilled: "cancelled",
      };
      const reason = reasons[fate];
      trades.push({ ...plain, hasTraded: false, price: null, reason });
    } else if (fate === "gap") {
      gaps.push({ fromMs: signalledAtMs - HOUR_MS, toMs: signalledAtMs });
    } else if (fate === "not_simulated") {
      // As simulated, and one more of a side that the rules do not have
      traded();
      matched += 1;
      compared += 1;
      trades.push({ ...plain, signal: "OPEN_SHORT" });
    }
  }
  const causes = PARTING_CAUSES.flatMap((cause) => {
    const count = counts[cause];
    return count === undefined ? [] : [{ cause, count, priceCost: moneyOf[cause] ?? 0n }];
  });
  const seen: ReplaySpan = { ...span, toMs: at(398), gaps, slippageBps: 60 };
  return {
    report: divergenceOf(replay(simulatedOrders(run), trades, seen)),
    expected: { compared, matched, feeCost, priceCost, causes },
  };
}

describe("the report of how far an agent parted from its simulation", () => {
  it("names every dropped, late, denied and slipped order of 300 seeded worlds, to the unit", () => {
    const seen = new Set<PartingCause>();
    for (let seed = 1; seed <= 300; seed += 1) {
      const { report, expected } = world(seed);
      expect({ seed, ...report }).toMatchObject({ seed, ...expected });
      for (const { cause } of report.causes) seen.add(cause);
    }
    expect([...seen].toSorted()).toEqual([...PARTING_CAUSES].toSorted());
  });

  it("has the middle of the prices' differences, and of the times between", () => {
    const trades = [
      real("OPEN_LONG", at(0), { price: 100_100_000n }),
      real("CLOSE_LONG", at(2, 4_000), { price: 100_000_000n }),
      real("OPEN_SHORT", at(4, 9_000), { price: 99_800_000n }),
      real("CLOSE_SHORT", at(6, 6_000), { price: 99_900_000n }),
    ];
    const { medianBps, medianLateMs, matched, compared } = divergenceOf(
      replay(simulatedOrders(result), trades, span),
    );
    expect([matched, compared, medianLateMs]).toEqual([4, 4, 5_000]);
    expect(medianBps).toBeCloseTo(5, 9);
    expect(divergenceOf([])).toMatchObject({ compared: 0, medianBps: null, medianLateMs: null });
  });

  it("finds the gaps between bars", () => {
    const all = hourlyBars([1, 1, 1, 1, 1]);
    expect(gapsOf(all)).toEqual([]);
    expect(gapsOf(all.filter((_, bar) => bar !== 2))).toEqual([
      { fromMs: FIRST_BAR_MS + 2 * HOUR_MS, toMs: FIRST_BAR_MS + 3 * HOUR_MS },
    ]);
  });
});

describe("an agent beside its twin", () => {
  it("is compared trade by trade, what was denied there left out", () => {
    const twin = [
      real("OPEN_LONG", at(0)),
      real("OPEN_SHORT", at(1), { hasTraded: false, reason: "loss_limit" }),
      real("CLOSE_LONG", at(2), { price: 102_000_000n }),
      real("OPEN_LONG", at(4)),
    ];
    const trades = [
      real("OPEN_LONG", at(0, 5_000), { price: 100_100_000n, fee: 30n }),
      real("CLOSE_LONG", at(2), { price: 101_900_000n }),
    ];
    const { compared, matched, priceCost, feeCost, medianLateMs, causes } = divergenceOf(
      replay(tradedOrders(twin), trades, span),
    );
    expect([compared, matched, medianLateMs]).toEqual([3, 2, 1_500]);
    expect([priceCost, feeCost]).toEqual([400_000n, 30n]);
    expect(causes).toEqual([{ cause: "dropped_alert", count: 1, priceCost: 0n }]);
  });
});

describe("an agent that peeks at the future", () => {
  it("fails the gate by its simulation alone: live, nobody knows the next bar", () => {
    const walk = wanderingBars(600, 7);
    const input = buildSimulation(walk, []);
    const rises = (bar: number) => (walk[bar]?.close ?? 0) > (walk[bar]?.open ?? 0);
    /** Fires on the bar that is that many bars after the one that has closed. */
    const firedBy = (ahead: number): FiringSource => {
      let bar = -1;
      return {
        warmUpBars: 0,
        left: () => 0,
        next: () => {
          bar += 1;
          return [{ alertKey: rises(bar + ahead) ? "OPEN_LONG" : "CLOSE_LONG" }];
        },
      };
    };
    const agent = { ...input.agent, slippageBps: 1_000 };
    const peeking = simulate({ ...input, agent }, firedBy(1));
    const honest = simulate({ ...input, agent }, firedBy(0));
    const simulated = measuresOf(peeking, 6);
    expect(simulated.totalReturn).toBeGreaterThan(5);
    const trades = honest.orders.flatMap(({ signal, signalledAtMs, fill, baseSize }) =>
      fill === null
        ? []
        : [real(signal, signalledAtMs + 2_000, { price: fill.price, baseSize, fee: fill.fee })],
    );
    const judge = (run: typeof peeking) => {
      const seen = { ...span, toMs: walk.at(-1)?.openTimeMs ?? 0, slippageBps: 1_000 };
      const { compared, matched, medianBps } = divergenceOf(
        replay(simulatedOrders(run), trades, seen),
      );
      const figures: ReadinessFigures = {
        days: 25,
        trades: 100,
        totalReturn: 0.1,
        holdingReturn: 0,
        fall: 0.1,
        fallLimit: null,
        compared,
        matched,
        medianBps,
        slippageBps: 1_000,
        luck: simulated.deflatedSharpe,
        tries: 1,
        keptOutReturn: 0.5,
        missedAlerts: 0,
        waitedExits: 0,
        hoursWithoutPrices: 0,
      };
      return readinessOf(figures, USUAL_READINESS_BAR)
        .filter(({ isMet }) => !isMet)
        .map(({ line }) => line);
    };
    expect(judge(peeking)).toEqual(["parted"]);
    expect(judge(honest)).toEqual([]);
  });
});
