import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatFixed } from "../../domain/amount.ts";
import { displayDecimal, shortenAddress } from "./format.ts";

describe("displayDecimal", () => {
  it.each([
    ["0", 2, "0.00"],
    ["1234567.891", 2, "1,234,567.89"],
    ["0.005", 2, "0.01"],
    ["999.995", 2, "1,000.00"],
    ["-1234.5", 1, "−1,234.5"],
    ["-0.001", 2, "0.00"],
    [".5", 1, "0.5"],
    ["12", 0, "12"],
    ["90071992547409931234.1", 1, "90,071,992,547,409,931,234.1"],
  ])("shows %s with %i decimals as %s", (text, decimals, shown) => {
    expect(displayDecimal(text, decimals)).toBe(shown);
  });

  it("rounds gains and losses alike, as the server does", () => {
    expect(displayDecimal("-0.354", 2)).toBe("−0.35");
    expect(displayDecimal("-0.355", 2)).toBe("−0.36");
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), (units) => {
        const shown = displayDecimal(formatFixed(units, 6, 6), 2).replaceAll(",", "");
        expect(shown.replace("−", "-")).toBe(formatFixed(units, 6, 2));
      }),
    );
  });

  it("loses nothing when all decimals are shown", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 30n }),
        fc.integer({ min: 1, max: 9 }),
        (units, decimals) => {
          const digits = units.toString().padStart(decimals + 1, "0");
          const text = `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
          expect(displayDecimal(text, decimals).replaceAll(",", "")).toBe(text);
        },
      ),
    );
  });
});

describe("shortenAddress", () => {
  it("keeps the first and last four characters", () => {
    expect(shortenAddress("A77ytVV59RYYKW9U97puqc8h5MBUxEKjsSe5zPEDWqFo")).toBe("A77y...WqFo");
  });
});
