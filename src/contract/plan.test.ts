import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import type { Plan } from "../domain/plan/plan.ts";
import { encode } from "./codec.ts";
import { plan } from "./plan.ts";

const WIRE = {
  stop: {
    at: { percent: 3 },
    trail: { after: 4, by: { atr: 14, times: 1.5 }, step: 0.25 },
    breakEvenAfter: 2.01,
  },
  targets: [
    { at: { percent: 0.29 }, close: 50 },
    { at: { r: 2.5 }, close: 50 },
  ],
  adds: { on: { against: 1.1 }, times: 2, size: 25 },
  maxPosition: 75,
  hold: 48,
  closeWithoutStop: false,
};

const DOMAIN: Plan = {
  stop: {
    at: { kind: "percent", bps: 300 },
    trail: {
      afterBps: 400,
      by: { kind: "atr", length: 14, timesHundredths: 150 },
      stepBps: 25,
    },
    breakEvenAfterBps: 201,
  },
  targets: [
    { at: { kind: "percent", bps: 29 }, closePercent: 50 },
    { at: { kind: "r", timesHundredths: 250 }, closePercent: 50 },
  ],
  adds: { on: { kind: "against", bps: 110 }, times: 2, sizePercent: 25 },
  maxPositionPercent: 75,
  holdBars: 48,
  closeWithoutStop: false,
};

describe("a plan on the wire", () => {
  it("is the domain's in percents, both ways", () => {
    expect(z.decode(plan, WIRE)).toEqual(DOMAIN);
    expect(encode(plan, DOMAIN)).toEqual(WIRE);
    for (const on of ["signal", { favour: 2 }] as const) {
      const sent = { adds: { ...WIRE.adds, on } };
      expect(encode(plan, z.decode(plan, sent))).toEqual(sent);
    }
    expect(encode(plan, z.decode(plan, {}))).toEqual({});
  });

  it.each([
    ["an unknown field", { ...WIRE, tp: 4 }],
    ["a stop with both distances", { stop: { at: { percent: 3, atr: 14, times: 2 } } }],
    ["a thousandth of a percent", { stop: { at: { percent: 3.001 } } }],
    ["five targets", { targets: Array.from({ length: 5 }, () => WIRE.targets[0]) }],
    ["no target", { targets: [] }],
    ["text", { hold: "48" }],
  ])("is refused with %s", (_, sent) => {
    expect(z.safeParse(plan, sent).success).toBe(false);
  });
});
