import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readSignedNumber, readTypedNumber } from "./typed-number.ts";

const read = (typed: string, maxDecimals = 6) => {
  const result = readTypedNumber(typed, maxDecimals);
  return result.kind === "number" ? result.text : `unclear: ${result.words}`;
};

const comma = (meant: string) =>
  `A comma groups thousands here, as in 1,000. Write ${meant} with a point, or the number without a comma.`;

describe("readTypedNumber", () => {
  it.each([
    ["", ""],
    [".", ""],
    ["5", "5"],
    ["5.", "5"],
    ["007", "7"],
    ["0", "0"],
    ["00.50", "0.5"],
    [".5", "0.5"],
    [" 8.2 ", "8.2"],
    ["1.000", "1"],
    ["1,000", "1000"],
    ["1,000.50", "1000.5"],
    ["12,345", "12345"],
    ["12,345.67", "12345.67"],
    ["12.345,67", "12345.67"],
    ["1,234,567", "1234567"],
    ["1.234.567", "1234567"],
    ["1,234,567.8", "1234567.8"],
    ["1 000", "1000"],
    ["1 000", "1000"],
    ["1 000 000,25", "1000000.25"],
    ["1'000", "1000"],
    ["1’000.5", "1000.5"],
    ["1.0000000", "1"],
  ])("reads %j as %j", (typed, text) => expect(read(typed)).toBe(text));

  it.each([
    ["1,00", comma("1.00")],
    ["1,5", comma("1.5")],
    ["0,500", comma("0.500")],
    [",5", comma("0.5")],
    ["5,", comma("5.0")],
    ["1234,567", comma("1234.567")],
    ["1,0000", comma("1.0000")],
    ["1,000,00", "Write digits only, with a point before the decimals."],
    ["1,000.5,0", "Write digits only, with a point before the decimals."],
    ["1e3", "Write digits only, with a point before the decimals."],
    ["-5", "Write digits only, with a point before the decimals."],
    ["1 0 0", "Write digits only, with a point before the decimals."],
    ["1,23,456", "Write digits only, with a point before the decimals."],
    ["1.2.3", "Write digits only, with a point before the decimals."],
    ["１", "Write digits only, with a point before the decimals."],
    ["0.0000001", "Write at most 6 digits after the point."],
    ["1".repeat(41), "That number is too long."],
  ])("refuses %j", (typed, words) => expect(read(typed)).toBe(`unclear: ${words}`));

  it("reads 1,234 as thousands whatever decimals are allowed", () => {
    expect(read("1,234", 2)).toBe("1234");
    expect(read("1,234", 0)).toBe("1234");
    expect(read("1.5", 0)).toBe("unclear: Write a whole number.");
  });

  it("reads its own result back unchanged", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...Array.from("0123456789., '")) }),
        (typed) => {
          const once = readTypedNumber(typed, 6);
          if (once.kind === "unclear") return;
          expect(readTypedNumber(once.text, 6)).toEqual(once);
          expect(once.text).toMatch(/^$|^(0|[1-9]\d*)(\.\d*[1-9])?$/);
        },
      ),
    );
  });

  it("never changes the digits of a number it takes", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 15n }),
        fc.constantFrom(" ", "'", " ", ","),
        (whole, separator) => {
          const grouped = String(whole).replaceAll(/\B(?=(\d{3})+$)/g, separator);
          expect(read(grouped)).toBe(String(whole));
        },
      ),
    );
  });
});

describe("a number that may be negative", () => {
  it.each([
    ["-1.50", "-1.5"],
    ["−100", "-100"],
    ["30", "30"],
    ["-1,000.25", "-1000.25"],
  ])("%s is %s", (typed, text) => {
    expect(readSignedNumber(typed, 8)).toEqual({ kind: "number", text });
  });

  it.each(["-", "--1", "-x", "1-"])("%s is refused", (typed) => {
    expect(readSignedNumber(typed, 8).kind).toBe("unclear");
  });
});
