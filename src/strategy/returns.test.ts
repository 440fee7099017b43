import { describe, expect, it } from "vitest";
import { maxDrawdownOf } from "../domain/measures/growth.ts";
import { deflatedSharpe, expectedBestSharpe, normalBelow, normalQuantile } from "./measures.ts";
import {
  annualReturn,
  calmarOf,
  dailyWorths,
  deviationOf,
  sharpeOf,
  sortinoOf,
} from "./measures.ts";

// Figures of empyrical's own tests, quantopian/empyrical, empyrical/tests/test_stats.py
const MIXED = [0.01, 0.1, -0.04, 0.02, 0.03, 0.02, 0.01, -0.1];
const MIXED_FROM_ZERO = [0, ...MIXED];
const NEGATIVE = [0, -0.06, -0.07, -0.01, -0.09, -0.02, -0.06, -0.08, -0.05];
const ONE = [
  -0.00171614, 0.01322056, 0.03063862, -0.01422057, -0.00489779, 0.01268925, -0.03357711,
  0.01797036,
];
const TWO = [
  0.01846232, 0.00793951, -0.01448395, 0.00422537, -0.00339611, 0.03756813, 0.0151531, 0.03549769,
];
const POSITIVE = [0.01, 0.02, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01];

const worthsOf = (returns: readonly number[]) => {
  let worth = 1;
  return [1, ...returns.map((each) => (worth *= 1 + each))];
};

describe("the measures of a series, against empyrical's tests", () => {
  it.each([
    [MIXED, 1.7238613961706866],
    [POSITIVE, 52.915026221291804],
    [NEGATIVE, -24.406808633910085],
  ])("Sharpe ratio of %j", (returns, expected) => {
    expect(sharpeOf(returns, 252)).toBeCloseTo(expected, 8);
  });

  it.each([
    [MIXED, 2.605531251673693],
    [NEGATIVE, -13.532743075043401],
    [ONE, 3.0639640966566306],
    [TWO, 38.090963117002495],
  ])("Sortino ratio of %j", (returns, expected) => {
    expect(sortinoOf(returns, 252)).toBeCloseTo(expected, 8);
  });

  it.each([
    [252, 1.9135925373194231, 19.135925373194233],
    [52, 0.24690830513998208, 2.4690830513998208],
    [12, 0.052242061386048144, 0.52242061386048144],
  ])("annual return and Calmar ratio at %i periods a year", (periods, annual, calmar) => {
    expect(annualReturn(MIXED_FROM_ZERO, periods)).toBeCloseTo(annual, 8);
    expect(calmarOf(MIXED_FROM_ZERO, periods)).toBeCloseTo(calmar, 8);
  });

  it.each([
    [MIXED, 0.1],
    [NEGATIVE, 0.36590730349873601],
    [[0.1, -0.1, 0.1], 0.1],
    [POSITIVE, 0],
    [[], 0],
  ])("largest drawdown of %j", (returns, expected) => {
    expect(maxDrawdownOf(worthsOf(returns))).toBeCloseTo(expected, 8);
  });

  it("annual volatility", () => {
    expect(deviationOf(MIXED) * Math.sqrt(252)).toBeCloseTo(0.9136465399704637, 8);
  });

  it("is undefined where nothing varies or nothing was lost", () => {
    expect(sharpeOf([0.01, 0.01, 0.01], 365)).toBeNull();
    expect(sharpeOf([], 365)).toBeNull();
    expect(sortinoOf(POSITIVE, 365)).toBeNull();
    expect(calmarOf(POSITIVE, 365)).toBeNull();
  });
});

describe("dailyWorths", () => {
  it("takes the last value of each UTC day; a close at midnight belongs to the day before", () => {
    const day = 86_400_000;
    expect(dailyWorths(10, [day / 2, day, day + 1, 3 * day], [11, 12, 13, 14])).toEqual([
      10, 12, 13, 14,
    ]);
  });
});

describe("the normal distribution", () => {
  // Abramowitz and Stegun, tables 26.1 and 26.6
  it.each([
    [0, 0.5],
    [1, 0.841344746068543],
    [2, 0.977249868051821],
    [-3, 0.00134989803163],
    [5, 0.999999713348428],
  ])("of %d", (value, share) => {
    expect(normalBelow(value)).toBeCloseTo(share, 14);
    expect(normalQuantile(share)).toBeCloseTo(value, 8);
  });
});

describe("the deflated Sharpe ratio", () => {
  // Bailey and López de Prado (2014), "The Deflated Sharpe Ratio", the numerical example: an annual ratio of 2.5 over
  // five years of 250 days, skewness -3, kurtosis 10, the annual ratios of the tries varying by 1/2
  const example = (tries: number) => ({
    sharpe: 2.5 / Math.sqrt(250),
    periods: 1250,
    skewness: -3,
    kurtosis: 10,
    tries,
    variance: 1 / 2 / 250,
  });

  it("expects 0.1132 a day from the luckiest of 100 tries", () => {
    expect(expectedBestSharpe(100, 1 / 2 / 250)).toBeCloseTo(0.1132, 4);
  });

  it.each([
    [100, 0.9004],
    [46, 0.9505],
  ])("after %i tries", (tries, expected) => {
    expect(deflatedSharpe(example(tries))).toBeCloseTo(expected, 4);
  });

  it("is 0.95 after 88 tries of normal returns", () => {
    const normal = { ...example(88), skewness: 0, kurtosis: 3 };
    expect(deflatedSharpe(normal)).toBeCloseTo(0.9505, 3);
  });

  it("compares a single try with zero skill", () => {
    expect(deflatedSharpe({ ...example(1), sharpe: 0 })).toBeCloseTo(0.5, 12);
    expect(deflatedSharpe({ ...example(1), periods: 1 })).toBeNull();
  });
});
