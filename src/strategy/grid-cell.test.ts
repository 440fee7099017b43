import { describe, expect, it } from "vitest";
import { buildSimulatedAgent, buildSimulation, hourlyBars } from "../../test/simulated.ts";
import {
  gridParameters,
  gridValues,
  chooseCell,
  type GridInput,
  gridCell,
  outOfSampleMeasures,
  splitGrid,
} from "./grid.ts";
import { backtestOverfitting } from "./overfitting.ts";
import type { SimulatedAgent } from "./simulation.ts";
import { deflatedSharpe, sharpeSample } from "./measures.ts";
import { seededRandom } from "./random.ts";
import { deviationOf, meanOf } from "./measures.ts";

const average = (period: number) =>
  ({ kind: "indicator", name: "SMA", output: "value", parameters: [period] }) as const;

const crossing = (is: "crosses-above" | "crosses-below") =>
  ({ kind: "comparisons", all: [{ left: average(5), is, right: average(20) }] }) as const;

/** Long while the fast average is above the slow one. */
const agent = buildSimulatedAgent({
  slippageBps: 5_000,
  alerts: [
    { alertKey: "in", name: "in", condition: crossing("crosses-above") },
    { alertKey: "out", name: "out", condition: crossing("crosses-below") },
  ],
  rules: [
    { ruleId: "1", action: "OPEN_LONG", conditions: [{ alertKey: "in", requiredCount: 1 }] },
    { ruleId: "2", action: "CLOSE_LONG", conditions: [{ alertKey: "out", requiredCount: 1 }] },
  ],
});

const ids = gridParameters(agent)
  .slice(0, 2)
  .map(({ id }) => id);

/** Random walk whose expected price never changes: log steps of 2 %, drift minus half their variance. */
function driftless(seed: number) {
  const random = seededRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  let price = 100;
  const steps = Array.from({ length: 600 }, () => {
    const open = price;
    price *= Math.exp(0.02 * normal() - 0.0002);
    return [open, Math.max(open, price), Math.min(open, price), price];
  });
  return hourlyBars(steps);
}

const ROWS = [2, 4, 6, 8, 10].flatMap((fast) => [12, 16, 20, 24].map((slow) => [fast, slow]));

function gridOn(seed: number) {
  const bars = driftless(seed);
  const fromMs = bars[200]?.openTimeMs ?? 0;
  const firings = { kind: "conditions" } as const;
  return splitGrid(buildSimulation(bars, [], { agent, firings, fromMs }), ids, ROWS);
}

/** Returns whole values of a parameter from 2 on. */
const axisOf = (axis: number, count: number) => ({
  parameter: gridParameters(agent)[axis] ?? expect.fail("no parameter"),
  values: Array.from({ length: count }, (_, at) => at + 2 + axis),
});

/** Returns what the variant chosen on the given bars made out of sample. */
function outOfSample(whole: GridInput, chosenOn: GridInput): number {
  const { best } = chooseCell(ROWS.map((values) => gridCell(chosenOn, values)));
  return (
    outOfSampleMeasures(whole, ROWS[best ?? -1] ?? expect.fail("none"))?.totalReturn ??
    expect.fail("no kept-out part")
  );
}

/** Returns the mean in standard errors. */
const inErrors = (values: readonly number[]) =>
  meanOf(values) / (deviationOf(values) / Math.sqrt(values.length));

describe("the best variant of a grid", () => {
  it("gains nothing out of sample on driftless walks, although one chosen on the whole history appears to", () => {
    const grids = Array.from({ length: 240 }, (_, seed) => gridOn(seed + 1));
    const honest = grids.map(({ whole, inSample }) => outOfSample(whole, inSample));
    const peeking = grids.map(({ whole }) => outOfSample(whole, whole));
    expect(Math.abs(inErrors(honest))).toBeLessThan(2.5);
    expect(inErrors(peeking)).toBeGreaterThan(4);
  });

  it("is never more than luck on 24 random walks with 400 tries each, and its lead is not believed", () => {
    const [down, across] = [axisOf(0, 20), axisOf(1, 20)];
    const many = down.values.flatMap((fast) => across.values.map((slow) => [fast, slow]));
    expect(many).toHaveLength(400);
    const judged = Array.from({ length: 24 }, (_, seed) => {
      const walk = gridOn(seed + 500).inSample;
      const cells = many.map((row) => gridCell(walk, row));
      const statistics = cells.flatMap(({ tStatistic }) => tStatistic ?? []);
      const best = cells[chooseCell(cells).best ?? -1] ?? expect.fail("none");
      const sample = sharpeSample(best.returns) ?? expect.fail("no returns");
      const variance = deviationOf(statistics) ** 2 / sample.periods;
      return {
        deflated: deflatedSharpe({ ...sample, tries: cells.length, variance }) ?? 1,
        overfitting:
          backtestOverfitting(
            cells.map(({ returns }) => returns),
            6,
          ) ?? 0,
      };
    });
    expect(judged.filter(({ deflated }) => deflated >= 0.95)).toEqual([]);
    expect(meanOf(judged.map(({ overfitting }) => overfitting))).toBeGreaterThan(0.35);
  });

  it("does not depend on the last three tenths of the bars", () => {
    const { whole, inSample } = gridOn(3);
    const { bars } = whole.input;
    const kept = inSample.input.bars;
    expect(kept).toHaveLength(200 + 280);
    const other = bars.map((bar, at) => (at < kept.length ? bar : { ...bar, close: 1, low: 1 }));
    const changed = splitGrid({ ...whole.input, bars: other }, ids, ROWS);
    const cellsOf = (grid: GridInput) => ROWS.map((row) => gridCell(grid, row));
    expect(cellsOf(changed.inSample)).toEqual(cellsOf(inSample));
    expect(outOfSampleMeasures(changed.whole, [2, 12])).not.toEqual(
      outOfSampleMeasures(whole, [2, 12]),
    );
  });

  it("has traded; an average that crosses itself never wins", () => {
    const whole = gridOn(1).inSample;
    const losing = gridCell(whole, [2, 12]);
    const idle = gridCell(whole, [12, 12]);
    expect(idle).toMatchObject({ closedTrades: 0, totalReturn: 0 });
    expect(losing.totalReturn).toBeLessThan(0);
    expect(chooseCell([idle, losing]).best).toBe(1);
    expect(chooseCell([idle, idle]).best).toBeNull();
    expect(chooseCell([]).best).toBeNull();
  });
});

describe("a grid", () => {
  it("gives each of two averages its own label", () => {
    expect(gridParameters(agent).map(({ label }) => label)).toEqual([
      "in: 1st SMA period",
      "in: 2nd SMA period",
      "out: 1st SMA period",
      "out: 2nd SMA period",
    ]);
  });

  it("lists every combination in which the fast length stays below the slow one", () => {
    const rowsOf = (of: typeof agent, down: readonly number[], across: readonly number[]) => {
      const [one = expect.fail("none"), other = expect.fail("none")] = gridParameters(of);
      return gridValues(of, [
        { parameter: one, values: down },
        { parameter: other, values: across },
      ]);
    };
    expect(rowsOf(agent, [1, 2], [3, 4])).toEqual([
      [1, 3],
      [1, 4],
      [2, 3],
      [2, 4],
    ]);
    expect(rowsOf(agent, [3, 8], [3, 5, 9])).toEqual([
      [3, 5],
      [3, 9],
      [8, 9],
    ]);
    const macd = { kind: "indicator", name: "MACD", output: "line", parameters: [12, 26, 9] };
    const all = [{ left: macd, is: "crosses-above", right: { kind: "number", value: 0 } }] as const;
    const condition = { kind: "comparisons", all } as const;
    const alerts = [{ alertKey: "in", name: "in", condition }] as SimulatedAgent["alerts"];
    expect(rowsOf({ ...agent, alerts }, [5, 20], [20, 30])).toEqual([
      [5, 20],
      [5, 30],
      [20, 30],
    ]);
  });
});
