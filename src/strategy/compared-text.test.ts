import { describe, expect, it } from "vitest";
import { comparedText } from "./compared-text.ts";
import type { ComparedFigures } from "./firing.ts";

const compared = (parts: Partial<ComparedFigures>): ComparedFigures => ({
  text: "RSI 14 crosses above 30",
  left: 31.2,
  right: 30,
  leftBefore: null,
  rightBefore: null,
  ...parts,
});

describe("why a condition fired", () => {
  it.each([
    [{ leftBefore: 29.7000001, rightBefore: 30 }, "RSI 14 crosses above 30: 31.2, before 29.7"],
    [{ text: "close above 30", left: 96_123.456 }, "close above 30: 96123.5"],
    [
      { text: "EMA 20 crosses below EMA 50", right: 31.25, leftBefore: 31.3, rightBefore: 31.28 },
      "EMA 20 crosses below EMA 50: 31.2 and 31.25, before 31.3 and 31.28",
    ],
    [
      { text: "close rises for 3 bars", right: null, leftBefore: 31 },
      "close rises for 3 bars: 31.2, before 31",
    ],
  ])("reads as a sentence: %j", (parts, text) => {
    expect(comparedText(compared(parts))).toBe(text);
  });
});
