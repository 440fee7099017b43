import { expect, it } from "vitest";
import type { Plan } from "./plan.ts";
import { planSentences, planText } from "./plan-words.ts";

const percent = (bps: number) => ({ kind: "percent", bps }) as const;

it("says a plan as sentences, in words of its side", () => {
  const plan: Plan = {
    stop: {
      at: percent(300),
      trail: { afterBps: 400, by: percent(200), stepBps: 25 },
      breakEvenAfterBps: 250,
    },
    targets: [
      { at: percent(400), closePercent: 50 },
      { at: { kind: "r", timesHundredths: 350 }, closePercent: 50 },
    ],
  };
  expect(planSentences(plan, ["long"])).toEqual([
    "Stop 3 % below the average entry.",
    "Sell half at +4 %.",
    "Sell the rest at 3.5 times the stop's distance.",
    "From +2.5 % on the stop is at the average entry or better.",
    "From +4 % on the stop follows 2 % behind the best price, in steps of 0.25 %.",
  ]);
  expect(planSentences(plan, ["short"]).slice(0, 2)).toEqual([
    "Stop 3 % above the average entry.",
    "Close half at +4 %.",
  ]);
});

it("says the rest of the grammar on one line", () => {
  expect(
    planText({
      stop: { at: { kind: "atr", length: 14, timesHundredths: 250 } },
      targets: [{ at: percent(1_000), closePercent: 30 }],
      adds: { on: { kind: "signal" }, times: 1, sizePercent: 100 },
      maxPositionPercent: 80,
      holdBars: 48,
      closeWithoutStop: false,
    }),
  ).toBe(
    "Stop 2.5 times the ATR of 14 bars on the losing side of the average entry. Close 30 % at +10 %. A further opening signal adds 100 % of the first entry, at most 1 time. The position is at most 80 % of the collateral. Close after 48 bars. An entry whose stop cannot be placed stays open.",
  );
});
