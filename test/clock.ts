import type { Clock } from "../src/domain/clock.ts";

/** Clock that only moves when a test advances it. */
export interface TestClock extends Clock {
  advance(ms: number): void;
}

export function createTestClock(start = Date.parse("2026-11-21T08:00:00.000Z")): TestClock {
  let time = start;
  return {
    now: () => time,
    advance(ms) {
      time += ms;
    },
  };
}
