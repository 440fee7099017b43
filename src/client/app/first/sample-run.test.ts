import { describe, expect, it } from "vitest";
import { sampleStart } from "./sample-agent.tsx";

describe("the start of the sample agent's run", () => {
  it("is the first day of the month before, so that past trades stay the same within a month", () => {
    const start = Date.UTC(2026, 9, 1);
    expect(sampleStart(Date.UTC(2026, 10, 1))).toBe(start);
    expect(sampleStart(Date.UTC(2026, 11, 1) - 1)).toBe(start);
  });

  it("is in December for a day in January", () => {
    expect(sampleStart(Date.UTC(2027, 0, 15, 12))).toBe(Date.UTC(2026, 11, 1));
  });

  it("leaves at least a whole month to run", () => {
    for (let day = 0; day < 730; day += 1) {
      const nowMs = Date.UTC(2026, 0, 1) + day * 86_400_000;
      expect(nowMs - sampleStart(nowMs)).toBeGreaterThanOrEqual(28 * 86_400_000);
    }
  });
});
