import { expect, it } from "vitest";
import { listeningOf } from "./listening.ts";

const own = { condition: { kind: "every-bars", bars: 1 } };
const outside = {};

it.each([
  ["no alert", [], "outside"],
  ["alerts from outside", [outside, outside], "outside"],
  ["conditions alone", [own, own], "conditions"],
  ["one of each", [own, outside], "both"],
] as const)("an agent with %s has the matching listening state", (_name, alerts, listening) => {
  expect(listeningOf(alerts)).toBe(listening);
});
