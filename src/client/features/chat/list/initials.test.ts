import { expect, it } from "vitest";
import { initialsOf } from "./chat-rail.tsx";

it.each([
  ["Agent ** SOL-1h", "S1"],
  ["Agent ** BTC-4h", "B4"],
  ["My New Chat", "MN"],
  ["Notes", "NO"],
  ["agent", "AG"],
  ["x", "X"],
  ["über uns", "ÜU"],
  ["🦀🦀", ""],
  ["", ""],
])("abbreviates %s as %s", (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
