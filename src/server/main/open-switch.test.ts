import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { TradingState } from "../../domain/trading-state.ts";
import { openSwitch } from "./open-switch.ts";

/** How long the operator waits at most until the last server has stopped, in milliseconds. */
const STOPS_WITHIN_MS = 2_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("stops within two seconds, even when the change just misses a reading and each takes 0.7 s", async () => {
  let stored: TradingState = "active";
  let readings = 0;
  const opening = openSwitch("postgres://nowhere", () => "active", {
    read: async () => {
      readings += 1;
      const found = stored;
      await new Promise((resolve) => setTimeout(resolve, 700));
      return found;
    },
  });
  await vi.advanceTimersByTimeAsync(700);
  const { tradingState, close } = await opening;
  // The second reading has just begun
  while (readings < 2) await vi.advanceTimersByTimeAsync(1);
  stored = "halted";
  expect(tradingState()).toBe("active");
  await vi.advanceTimersByTimeAsync(STOPS_WITHIN_MS);
  expect(tradingState()).toBe("halted");
  const closed = close();
  await vi.runAllTimersAsync();
  await closed;
});
