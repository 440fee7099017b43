import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  MAX_AMOUNT,
  amountOf,
  formatDecimal,
  formatFixed,
  mulDiv,
  parseDecimal,
  toSafeNumber,
} from "./amount.ts";

const runs = { numRuns: 1_000 };
const amount = fc.bigInt({ min: 0n, max: MAX_AMOUNT });
const decimals = fc.integer({ min: 0, max: 18 });

describe("parseDecimal", () => {
  it.each([
    ["8.2", 8_200_000n],
    ["1.000001", 1_000_001n],
    ["1.005", 1_005_000n],
    [".5", 500_000n],
    ["5.", 5_000_000n],
    ["007", 7_000_000n],
    ["0.1000000000", 100_000n],
    ["18446744073709.551615", MAX_AMOUNT],
  ])("reads %s exactly", (text, units) => {
    expect(parseDecimal(text, 6)).toBe(units);
  });

  it.each([
    "-1",
    "+1",
    "1e3",
    "0x10",
    "Infinity",
    "NaN",
    "1,000",
    "",
    ".",
    " 1",
    "1\n",
    "1.0000005",
    "0.0000001",
    "9007199254740993",
    "18446744073709.551616",
    "１２",
    "1.2.3",
    "0b1",
    "1_000",
  ])("refuses %j", (text) => {
    expect(parseDecimal(text, 6)).toBeNull();
  });

  it("reads back every amount it formats", () => {
    fc.assert(
      fc.property(amount, decimals, (units, places) => {
        expect(parseDecimal(formatDecimal(units, places), places)).toBe(units);
      }),
      runs,
    );
  });

  it("agrees with the written digits for any number of decimals", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 9n }),
        fc.stringMatching(/^\d{1,9}$/),
        (whole, fraction) => {
          const expected =
            whole * 10n ** 9n + BigInt(fraction) * 10n ** BigInt(9 - fraction.length);
          expect(parseDecimal(`${whole}.${fraction}`, 9)).toBe(expected);
        },
      ),
      runs,
    );
  });

  it("never throws and never returns a value outside an unsigned 64-bit integer", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), decimals, (text, places) => {
        const units = parseDecimal(text, places);
        expect(units === null || (units >= 0n && units <= MAX_AMOUNT)).toBe(true);
      }),
      runs,
    );
  });
});

describe("formatting", () => {
  it.each([
    [8_200_000n, "8.2", "8.20"],
    [0n, "0", "0.00"],
    [-12_500_000n, "-12.5", "-12.50"],
    [1n, "0.000001", "0.00"],
    [-1n, "-0.000001", "0.00"],
    [5_000n, "0.005", "0.01"],
    [-5_000n, "-0.005", "-0.01"],
    [4_999n, "0.004999", "0.00"],
  ])("shows %s as %s and with two decimals as %s", (units, exact, fixed) => {
    expect(formatDecimal(units, 6)).toBe(exact);
    expect(formatFixed(units, 6, 2)).toBe(fixed);
  });

  it("pads decimals beyond the token's own", () => {
    expect(formatFixed(15n, 1, 3)).toBe("1.500");
    expect(formatFixed(15n, 1, 0)).toBe("2");
  });

  it("rounds gains and losses alike", () => {
    expect(formatFixed(354_000n, 6, 2)).toBe("0.35");
    expect(formatFixed(-354_000n, 6, 2)).toBe("-0.35");
    expect(formatFixed(-355_000n, 6, 2)).toBe("-0.36");
    expect(formatFixed(999_999_999n, 6, 2)).toBe("1000.00");
  });
});

describe("mulDiv", () => {
  it("keeps the remainder below the divisor in every direction of rounding", () => {
    const integer = fc.bigInt({ min: -(2n ** 96n), max: 2n ** 96n });
    fc.assert(
      fc.property(integer, integer, fc.bigInt({ min: 1n, max: 2n ** 64n }), (a, b, divisor) => {
        const size = (value: bigint) => (value < 0n ? -value : value);
        const exact = size(a * b);
        const down = size(mulDiv(a, b, divisor, "down"));
        const up = size(mulDiv(a, b, divisor, "up"));
        const halfUp = size(mulDiv(a, b, divisor, "half_up"));
        expect(down * divisor <= exact && exact - down * divisor < divisor).toBe(true);
        expect(up * divisor >= exact && up * divisor - exact < divisor).toBe(true);
        expect(2n * size(halfUp * divisor - exact) <= divisor).toBe(true);
      }),
      runs,
    );
  });

  it("refuses a divisor that is not positive", () => {
    expect(() => mulDiv(1n, 1n, 0n, "down")).toThrow(RangeError);
    expect(() => mulDiv(1n, 1n, -1n, "down")).toThrow(RangeError);
  });
});

describe("constructors", () => {
  it.each([
    Number.NaN,
    -1,
    0.5,
    2 ** 53,
    Number.POSITIVE_INFINITY,
    -1n,
    MAX_AMOUNT + 1n,
    "1.5",
    "",
    "-1",
    "0x1",
  ])("stop at %s", (value) => {
    expect(() => amountOf(value)).toThrow(RangeError);
  });

  it("accept whole numbers from zero", () => {
    expect([amountOf(0), amountOf("12"), amountOf(MAX_AMOUNT)]).toEqual([0n, 12n, MAX_AMOUNT]);
  });

  it("return numbers only where they are exact", () => {
    expect(toSafeNumber(-12n)).toBe(-12);
    expect(() => toSafeNumber(2n ** 53n)).toThrow(RangeError);
  });
});
