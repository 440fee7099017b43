import { describe, expect, it } from "vitest";
import { createSteadyClock } from "./steady-clock.ts";

const HOUR_MS = 3600_000;

/** A database clock and a process clock the test moves, with the latest time remembered as the database does. */
function createTimes(startMs: number) {
  const times = { shownMs: startMs, latestMs: 0, monotonicMs: 7_000, answerTakesMs: 0 };
  const heard: number[] = [];
  const open = () =>
    createSteadyClock({
      read: async () => {
        times.latestMs = Math.max(times.latestMs, times.shownMs);
        times.monotonicMs += times.answerTakesMs;
        return { shownMs: times.shownMs, latestMs: times.latestMs };
      },
      monotonicMs: () => times.monotonicMs,
      onBehind: (behindMs) => heard.push(behindMs),
    });
  /** Advances the database's time and this process's. */
  const pass = (ms: number) => {
    times.shownMs += ms;
    times.monotonicMs += ms;
  };
  return { times, heard, open, pass };
}

const START = Date.parse("2026-11-21T08:00:00.000Z");

describe("a steady clock", () => {
  it("shows the database's time from the first reading on, and advances with elapsed time", async () => {
    const { open, pass } = createTimes(START);
    const clock = open();
    expect(() => clock.now()).toThrow();
    await clock.sync();
    expect(clock.now()).toBe(START);
    pass(1_234);
    expect(clock.now()).toBe(START + 1_234);
  });

  it("follows the database's clock forward", async () => {
    const { open, times, heard } = createTimes(START);
    const clock = open();
    await clock.sync();
    times.shownMs += HOUR_MS;
    await clock.sync();
    expect(clock.now()).toBe(START + HOUR_MS);
    expect(heard).toEqual([]);
  });

  it("continues from its last time when the database's clock is set back, and says so once", async () => {
    const { open, times, heard, pass } = createTimes(START);
    const clock = open();
    await clock.sync();
    times.shownMs -= HOUR_MS;
    for (let rounds = 0; rounds < 3; rounds += 1) {
      pass(60_000);
      await clock.sync();
    }
    expect(clock.now()).toBe(START + 180_000);
    expect(heard).toEqual([HOUR_MS]);
  });

  it("restarts no earlier than the latest time the database has shown", async () => {
    const { open, times, heard, pass } = createTimes(START);
    const before = open();
    await before.sync();
    times.shownMs -= HOUR_MS;
    pass(60_000);
    await before.sync();
    const after = open();
    await after.sync();
    expect(after.now()).toBe(START);
    expect(heard).toEqual([HOUR_MS, HOUR_MS - 60_000]);
  });

  it("does not include the answer's latency, and corrects drift without going back", async () => {
    const { open, times, heard, pass } = createTimes(START);
    const clock = open();
    times.answerTakesMs = 800;
    await clock.sync();
    expect(clock.now()).toBe(START);
    times.shownMs += 800;
    times.answerTakesMs = 0;
    await clock.sync();
    expect(clock.now()).toBe(START + 800);
    // This process's clock runs ahead
    times.monotonicMs += 500;
    const ahead = clock.now();
    await clock.sync();
    expect(clock.now()).toBe(ahead);
    pass(500);
    expect(clock.now()).toBe(ahead);
    pass(1);
    expect(clock.now()).toBe(ahead + 1);
    expect(heard).toEqual([]);
  });
});
