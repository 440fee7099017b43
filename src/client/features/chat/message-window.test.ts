import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { guessHeight, messageWindow } from "./message-window.ts";

const HUNDRED = Array.from({ length: 100 }, () => 200);

describe("the window of a list of messages", () => {
  it("shows the newest message at the end, and draws the visible messages and a few more", () => {
    const shown = messageWindow(HUNDRED, { top: null, height: 600 });
    expect(shown).toEqual({ start: 94, end: 100, before: 94 * 200, after: 0 });
  });

  it("draws the visible messages after a scroll, and a few on both sides", () => {
    const shown = messageWindow(HUNDRED, { top: 10_000, height: 600 });
    expect(shown).toEqual({ start: 47, end: 56, before: 47 * 200, after: 44 * 200 });
  });

  it("draws all of a short list, even before its height is known", () => {
    expect(messageWindow([80, 120], { top: null, height: 0 })).toMatchObject({ start: 0, end: 2 });
    expect(messageWindow([], { top: null, height: 0 })).toMatchObject({ start: 0, end: 0 });
  });

  it("draws only one message when it is taller than the screen", () => {
    const heights = [100, 100, 50_000, 100, 100];
    const shown = messageWindow(heights, { top: 20_000, height: 600 });
    expect(shown).toEqual({ start: 2, end: 3, before: 200, after: 200 });
  });

  it("covers the screen at every scroll position, and is as tall as the whole list", () => {
    const heights = fc.array(fc.integer({ min: 20, max: 3_000 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(heights, fc.double({ min: 0, max: 1, noNaN: true }), (rows, share) => {
        const total = rows.reduce((all, each) => all + each, 0);
        const top = Math.max(0, total - 600) * share;
        const { start, end, before, after } = messageWindow(rows, { top, height: 600 });
        const drawn = rows.slice(start, end).reduce((all, each) => all + each, 0);
        expect(before + drawn + after).toBe(total);
        expect(before).toBeLessThanOrEqual(top);
        expect(before + drawn).toBeGreaterThanOrEqual(Math.min(total, top + 600));
      }),
    );
  });

  it("estimates a larger height for a longer message", () => {
    expect(guessHeight("short")).toBeLessThan(guessHeight("long ".repeat(100)));
  });
});
