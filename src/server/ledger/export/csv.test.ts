import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csvLine } from "./rows.ts";

describe("csvLine", () => {
  it.each([
    ["=1+1", "'=1+1"],
    ["+1", "'+1"],
    ["-1+cmd|' /C calc'!A0", "'-1+cmd|' /C calc'!A0"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\t=1", "'\t=1"],
    ["-12.5", "-12.5"],
    ["-0.000000001", "-0.000000001"],
    ["a,b", '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['="a",b', '"\'=""a"",b"'],
    ["two\nlines", '"two\nlines"'],
    ["", ""],
  ])("writes %j as %j", (text, cell) => {
    expect(csvLine([text])).toBe(`${cell}\r\n`);
  });

  it("begins no cell with a formula, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const cell = csvLine([text]).slice(0, -2).replace(/^"/, "");
        expect(/^[=+@\t\r]/.test(cell)).toBe(false);
        if (cell.startsWith("-")) expect(cell).toMatch(/^-\d+(\.\d+)?$/);
      }),
    );
  });
});
