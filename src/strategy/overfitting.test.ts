import { describe, expect, it } from "vitest";
import { backtestOverfitting, minTrackRecord, sharpeInterval, walkForward } from "./overfitting.ts";
import { seededRandom } from "./random.ts";
import { deviationOf, meanOf } from "./measures.ts";

/** An annual Sharpe ratio of 2 against one of 1, as in Bailey and López de Prado (2012), section 5. */
const published = (perYear: number, skewness = 0, kurtosis = 3) => ({
  sample: { sharpe: 2 / Math.sqrt(perYear), periods: 100, skewness, kurtosis },
  benchmark: 1 / Math.sqrt(perYear),
});

describe("minTrackRecord", () => {
  it.each([
    ["daily", 250, 0, 3, 2.73],
    ["weekly", 52, 0, 3, 2.83],
    ["monthly", 12, 0, 3, 3.24],
    ["monthly, with the hedge funds' skewness and kurtosis", 12, -0.72, 5.78, 4.99],
  ])("is the published number of years: %s", (_name, perYear, skewness, kurtosis, years) => {
    const { sample, benchmark } = published(perYear, skewness, kurtosis);
    expect((minTrackRecord(sample, benchmark) ?? 0) / perYear).toBeCloseTo(years, 2);
  });

  it("does not exist for a ratio that is not above the benchmark", () => {
    const { sample } = published(12);
    expect(minTrackRecord(sample, sample.sharpe)).toBeNull();
    expect(minTrackRecord({ ...sample, sharpe: -0.1 })).toBeNull();
  });
});

describe("sharpeInterval", () => {
  it("just excludes zero on one side after the minimum track record", () => {
    const sample = { sharpe: 0.1, skewness: -1, kurtosis: 7, periods: 0 };
    const periods = minTrackRecord(sample) ?? 0;
    const { low, high } = sharpeInterval({ ...sample, periods }) ?? expect.fail("none");
    // 95 % on two sides are 97.5 % on one
    expect(0.1 - low).toBeCloseTo((0.1 * 1.959964) / 1.644854, 6);
    expect(high - 0.1).toBeCloseTo(0.1 - low, 12);
  });

  it("contains the true ratio in 95 of 100 samples", () => {
    const random = seededRandom(11);
    const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    let inside = 0;
    for (let sample = 0; sample < 1_000; sample += 1) {
      const returns = Array.from({ length: 250 }, () => 0.1 + normal());
      const sharpe = meanOf(returns) / deviationOf(returns);
      const interval = sharpeInterval({ sharpe, periods: 250, skewness: 0, kurtosis: 3 });
      if (interval !== null && interval.low <= 0.1 && interval.high >= 0.1) inside += 1;
    }
    expect(inside).toBeGreaterThan(930);
    expect(inside).toBeLessThan(970);
  });

  it("does not exist for one period, or a variance that cannot be", () => {
    const sample = { sharpe: 1, skewness: 0, kurtosis: 3, periods: 1 };
    expect(sharpeInterval(sample)).toBeNull();
    expect(sharpeInterval({ ...sample, periods: 10, skewness: 3, kurtosis: 1 })).toBeNull();
  });
});

describe("backtestOverfitting", () => {
  const noise = (seed: number, variants: number, periods: number) => {
    const random = seededRandom(seed);
    return Array.from({ length: variants }, () =>
      Array.from({ length: periods }, () => random() - 0.5),
    );
  };

  it("is 1 where every variant's whole history comes to nothing, the paper's first test case", () => {
    // Returns of each half are the other's with the sign turned: what was best before is worst after
    const variants = noise(5, 20, 100).map((returns) => {
      const length = returns.length;
      const mean = meanOf(returns);
      const shifted = returns.map((each) => each - mean);
      const scale = Math.sqrt(meanOf(shifted.map((each) => each ** 2)));
      return shifted.slice(0, length).map((each) => each / scale);
    });
    expect(backtestOverfitting(variants, 4)).toBeGreaterThan(0.99);
  });

  it("is 0 where one variant is better than the others throughout", () => {
    const variants = noise(6, 20, 100);
    variants[7] = (variants[7] ?? []).map((each) => each / 10 + 1);
    expect(backtestOverfitting(variants)).toBe(0);
  });

  it("is about one half for variants that differ by noise alone", () => {
    const all = Array.from(
      { length: 40 },
      (_, seed) => backtestOverfitting(noise(seed, 10, 200)) ?? 0,
    );
    expect(meanOf(all)).toBeGreaterThan(0.4);
    expect(meanOf(all)).toBeLessThan(0.65);
  });

  it("is worked by hand for two blocks", () => {
    // Best in the first block: the second variant, which is last in the second block; and the other way round
    const crossed = [
      [1, 2, 5, 6],
      [5, 6, 1, 2],
    ];
    expect(backtestOverfitting(crossed, 2)).toBe(1);
    const straight = [
      [1, 2, 1, 2],
      [5, 6, 5, 6],
    ];
    expect(backtestOverfitting(straight, 2)).toBe(0);
  });

  it("does not exist for one variant or too few periods", () => {
    expect(backtestOverfitting(noise(1, 1, 100))).toBeNull();
    expect(backtestOverfitting(noise(1, 5, 19))).toBeNull();
  });
});

describe("walkForward", () => {
  it("earns in each window what the best so far earned there", () => {
    const one = [0.1, 0.1, 0, 0, 0.2, 0.2, 0.1, 0.1, 0, 0];
    const other = [0, 0, 0.3, 0.3, 0, 0, 0, 0, 0.1, 0.1];
    const walk = walkForward([one, other]) ?? expect.fail("none");
    // After two periods the first leads, 21 % to nothing; after four the second, 69 %; after six the first, 74 %
    expect(walk.windows.map((each) => Number(each.toFixed(4)))).toEqual([0, 0, 0.21, 0]);
    expect(walk.totalReturn).toBeCloseTo(0.21, 12);
  });

  it("does not exist for one variant or too few periods", () => {
    expect(walkForward([[0.1, 0.1, 0.1]])).toBeNull();
    expect(walkForward([[0.1], [0.2]])).toBeNull();
  });
});
