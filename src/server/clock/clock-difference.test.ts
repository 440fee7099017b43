import { expect, it } from "vitest";
import { createClockDifference } from "./steady-clock.ts";

it("reports once that the clocks differ by more than 30 seconds, and again after they agreed", () => {
  const said: number[] = [];
  const difference = createClockDifference((seconds) => said.push(seconds));
  expect(difference.wrongSeconds()).toBeNull();
  difference.note(1_030_000, 1_000_000);
  expect([difference.seconds(), difference.wrongSeconds(), said]).toEqual([30, null, []]);
  difference.note(1_031_000, 1_000_000);
  difference.note(1_032_000, 1_000_000);
  expect([difference.seconds(), difference.wrongSeconds(), said]).toEqual([32, 32, [31]]);
  difference.note(1_000_000, 1_000_000);
  expect([difference.seconds(), difference.wrongSeconds()]).toEqual([0, null]);
  difference.note(1_000_000, 1_600_000);
  expect([difference.wrongSeconds(), said]).toEqual([-600, [31, -600]]);
});
