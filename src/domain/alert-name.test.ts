import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_ALERT_NAME_LENGTH, alertNameKey, isAlertNameUsable } from "./name-key.ts";

describe("alertNameKey", () => {
  it.each([
    [" Breakout ", "BREAKOUT"],
    ["Buy", " buy "],
    ["cafe\u0301", "caf\u00e9"],
    ["\u212a", "k"],
    ["Straße", "STRASSE"],
    ["STRAẞE", "STRASSE"],
    ["ΟΔΟΣ", "οδος"],
    ["ｂｕｙ", "buy"],
  ])("treats %j and %j as the same name", (one, other) => {
    expect(alertNameKey(one)).toBe(alertNameKey(other));
  });

  it("keeps different names apart", () => {
    expect(alertNameKey("buy")).not.toBe(alertNameKey("b uy"));
  });

  it("folds plain names like all others", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary-ascii" }), (name) => {
        const folded = name.normalize("NFKC").toLowerCase().toUpperCase().toLowerCase();
        expect(alertNameKey(name)).toBe(folded.normalize("NFKC").trim());
      }),
      { numRuns: 1_000 },
    );
  });

  it("is idempotent", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (name) => {
        expect(alertNameKey(alertNameKey(name))).toBe(alertNameKey(name));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("isAlertNameUsable", () => {
  it.each([
    "Breakout",
    "a/b",
    "%2F",
    "by-alert",
    "?x=1",
    "…",
    "50 % up",
    "日本",
    "a".repeat(MAX_ALERT_NAME_LENGTH),
  ])("accepts %j", (name) => {
    expect(isAlertNameUsable(name)).toBe(true);
  });

  it.each([
    "",
    "  ",
    ".",
    "..",
    " .. ",
    "․․",
    "break\u200bout",
    "a\u0000b",
    "a\nb",
    "\ud800",
    "abc\u202edef",
    "a\u2028b",
    `e${"\u0301".repeat(40)}`,
    "a".repeat(MAX_ALERT_NAME_LENGTH + 1),
  ])("refuses %j", (name) => {
    expect(isAlertNameUsable(name)).toBe(false);
  });
});
