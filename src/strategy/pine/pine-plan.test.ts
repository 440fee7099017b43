import { describe, expect, it } from "vitest";
import type { Plan } from "../../domain/plan/plan.ts";
import { pineScript, pinePlan } from "./pine.ts";

describe("a plan in Pine", () => {
  const percent = (bps: number) => ({ kind: "percent", bps }) as const;

  it("is strategy.exit, as comments of a script that places no order", () => {
    const plan = {
      stop: { at: percent(300) },
      targets: [
        { at: percent(400), closePercent: 50 },
        { at: { kind: "r", timesHundredths: 250 } as const, closePercent: 30 },
      ],
    };
    expect(pinePlan(plan).leftOut).toEqual([]);
    const { text } = pineScript({
      title: "SOL",
      interval: "1h",
      intervalMinutes: 60,
      alerts: [{ name: "a", condition: { kind: "every-bars", bars: 1 }, message: "m" }],
      plan,
    });
    const lines = text.split("\n");
    for (const line of [
      '//   strategy.exit("Target 1", qty_percent = 50, limit = away(4), stop = away(-3))',
      '//   strategy.exit("Target 2", qty_percent = 30, limit = away(7.5), stop = away(-3))',
      '//   strategy.exit("Stop", qty_percent = 20, stop = away(-3))',
    ]) {
      expect(lines).toContain(line);
    }
    expect(lines.filter((line) => line.includes("strategy.") && !line.startsWith("//"))).toEqual(
      [],
    );
  });

  it("lists what strategy.exit cannot say", () => {
    const whole: Plan = {
      stop: {
        at: { kind: "atr", length: 14, timesHundredths: 200 },
        trail: { afterBps: 400, by: percent(200), stepBps: 25 },
        breakEvenAfterBps: 200,
      },
      adds: { on: { kind: "signal" }, times: 1, sizePercent: 50 },
      maxPositionPercent: 100,
      holdBars: 9,
    };
    const { lines, leftOut } = pinePlan(whole, 3);
    expect(lines.at(-1)).toBe(
      'strategy.exit("Stop", qty_percent = 100, trail_price = away(4), trail_offset = ticks(2))',
    );
    const names = ["ATR", "steps of the trailing stop", "break-even", "adding", "time"];
    expect(leftOut.map(({ name }) => name)).toEqual(
      [...names, "largest position", "leverage 3"].map((part) => `Plan: ${part}`),
    );
  });
});
