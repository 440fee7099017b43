import { describe, expect, it } from "vitest";
import { VENUE_PROFILES } from "../../../../venues/profiles.ts";
import { EMPTY_PLAN_FORM, type PlanForm, readPlanForm } from "./plan-trial.tsx";

const context = {
  positionSizePercent: 100,
  venue: VENUE_PROFILES.drift,
  costs: { halfSpreadPpm: 1_000, maintenancePpm: 50_000 },
};
const read = (texts: Partial<PlanForm>) => readPlanForm({ ...EMPTY_PLAN_FORM, ...texts }, context);

describe("the form of a plan", () => {
  it("is no plan while it is empty", () => {
    expect(read({})).toEqual({ ok: true, plan: null, leverage: 1 });
  });

  it("reads every field", () => {
    const texts = {
      stop: "3",
      breakEven: "2.5",
      trailAfter: "4",
      trailBy: "1.01",
      target1: "4",
      part1: "50",
      target2: "8",
      part2: "25",
      hold: "48",
      leverage: "3",
    };
    expect(read(texts)).toEqual({
      ok: true,
      leverage: 3,
      plan: {
        stop: {
          at: { kind: "percent", bps: 300 },
          breakEvenAfterBps: 250,
          trail: { afterBps: 400, by: { kind: "percent", bps: 101 }, stepBps: 25 },
        },
        targets: [
          { at: { kind: "percent", bps: 400 }, closePercent: 50 },
          { at: { kind: "percent", bps: 800 }, closePercent: 25 },
        ],
        holdBars: 48,
      },
    });
  });

  it.each<[Partial<PlanForm>, string, string]>([
    [{ stop: "x" }, "stop", "A number is needed here."],
    [{ stop: "60" }, "stop", "Choose 0.1 % to 50 %."],
    [{ stop: "0.2" }, "stop", "That is tighter than the spread of 0.2 %: it would close at once."],
    [{ breakEven: "2" }, "stop", "Break-even and a trail move a stop: it needs its first level."],
    [{ stop: "3", trailAfter: "2" }, "trailBy", "A trail needs both figures."],
    [{ target1: "4" }, "part1", "A target needs its profit and its part."],
    [{ target2: "4", part2: "10" }, "target1", "Fill the first target first."],
    [
      { target1: "4", part1: "60", target2: "8", part2: "60" },
      "part2",
      "The targets close 120 % together; at most 100 % is held.",
    ],
    [{ hold: "0" }, "hold", "Choose 1 to 10000 bars, as a whole number."],
    [{ hold: "4", leverage: "2" }, "leverage", "Leverage above 1 needs a stop in the plan."],
    [
      { stop: "20", leverage: "5" },
      "stop",
      "A short is liquidated 14.28 % away from its entry: the stop has to be nearer.",
    ],
  ])("says beside its field what is wrong with %o", (texts, field, message) => {
    expect(read(texts)).toEqual({ ok: false, field, message });
  });
});
