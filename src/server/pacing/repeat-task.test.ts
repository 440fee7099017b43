import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { repeatTask } from "./repeat-task.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("pauses before every round, longer after a failure", async () => {
  const failures: unknown[] = [];
  const round = vi.fn(() => Promise.resolve()).mockRejectedValueOnce(new Error("away"));
  const rounds = repeatTask({
    task: round,
    pauseMs: 100,
    pauseAfterFailureMs: 300,
    onFailure: (error) => failures.push(error),
  });
  rounds.start();
  const counts = [];
  for (const ms of [99, 1, 299, 1, 100]) {
    await vi.advanceTimersByTimeAsync(ms);
    counts.push(round.mock.calls.length);
  }
  expect(counts).toEqual([0, 1, 1, 2, 3]);
  expect(failures).toEqual([new Error("away")]);
  await rounds.stop();
});

it("waits for the present round when it is stopped, and starts no other", async () => {
  let finish = () => {};
  const round = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)));
  const rounds = repeatTask({ task: round, pauseMs: 100, onFailure: () => {} });
  rounds.start();
  await vi.advanceTimersByTimeAsync(100);
  let isDone = false;
  const stopping = rounds.stop().then(() => (isDone = true));
  await vi.advanceTimersByTimeAsync(1_000);
  expect([isDone, rounds.isStopped()]).toEqual([false, true]);
  finish();
  await stopping;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(round).toHaveBeenCalledTimes(1);
});

it("runs at once when it is woken, and once more when that was during a run", async () => {
  let finish = () => {};
  const round = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)));
  const rounds = repeatTask({ task: round, pauseMs: 100, onFailure: () => {} });
  rounds.wake();
  await vi.advanceTimersByTimeAsync(1_000);
  rounds.start();
  const counts = [];
  for (const step of [rounds.wake, rounds.wake, finish, () => finish(), () => finish()]) {
    step();
    await vi.advanceTimersByTimeAsync(0);
    counts.push(round.mock.calls.length);
  }
  // Before the start, at once, during the run, when that ended, and no third time without a wake
  expect(counts).toEqual([1, 1, 1, 2, 2]);
  const stopping = rounds.stop();
  rounds.wake();
  await stopping;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(round).toHaveBeenCalledTimes(2);
});

it("starts nothing when it is stopped during the first pause", async () => {
  const round = vi.fn(() => Promise.resolve());
  const rounds = repeatTask({ task: round, pauseMs: 100, onFailure: () => {} });
  rounds.start();
  await rounds.stop();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(round).not.toHaveBeenCalled();
});
