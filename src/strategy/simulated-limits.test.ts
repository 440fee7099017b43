import { expect, it } from "vitest";
import {
  buildSimulatedAgent,
  buildSimulation,
  FIRST_BAR_MS,
  hourlyBars,
} from "../../test/simulated.ts";
import type { OwnerLimits } from "../domain/owner-limits.ts";
import { simulate } from "./simulate.ts";
import { NO_OWNER_LIMITS } from "../../test/owner-limits.ts";

const HOUR_MS = 3_600_000;

/** Returns signals that hold a long for one hour from each of these bars. */
const longsAt = (...bars: readonly number[]) =>
  bars.flatMap((at) => [[at, "OPEN_LONG"] as const, [at + 1, "CLOSE_LONG"] as const]);

/**
 * Returns the hours, counted from the first bar's open, at which entries filled, and at which they were refused with
 * the reason.
 */
function entriesOf(
  limits: Partial<OwnerLimits>,
  prices: readonly number[],
  fired: readonly (readonly [number, string])[],
) {
  const agent = buildSimulatedAgent({
    slippageBps: 5_000,
    limits: { ...NO_OWNER_LIMITS, ...limits },
  });
  const { orders } = simulate(buildSimulation(hourlyBars(prices), fired, { agent }));
  return orders
    .filter(({ signal }) => signal === "OPEN_LONG")
    .map(({ decidedAtMs, refusal }) => {
      const hour = (decidedAtMs - FIRST_BAR_MS) / HOUR_MS;
      return refusal === null ? `${hour}` : `${hour} ${refusal}`;
    });
}

const flat = Array.from({ length: 32 }, () => 100);

/** Returns closes that start at 100 and change by a percentage at the given bars. */
const withSteps = (steps: Readonly<Record<number, number>>): readonly number[] => {
  let price = 100;
  return Array.from({ length: 32 }, (_, at) => (price *= 1 + (steps[at] ?? 0) / 100));
};

it("refuses entries beyond the trades of a day, and allows them the day after", () => {
  expect(entriesOf({ tradesPerDay: 2 }, flat, longsAt(0, 2, 4, 22, 25))).toEqual([
    "1",
    "3",
    "5 own_trades_limit",
    "23 own_trades_limit",
    "26",
  ]);
});

it("does not count an unfilled entry", () => {
  const agent = buildSimulatedAgent({ limits: { ...NO_OWNER_LIMITS, tradesPerDay: 1 } });
  const jump = withSteps({ 1: 5 });
  const { orders } = simulate(
    buildSimulation(hourlyBars(jump), [[0, "OPEN_LONG"], ...longsAt(2, 4)], { agent }),
  );
  const entries = orders.filter(({ signal }) => signal === "OPEN_LONG");
  expect(entries.map(({ refusal }) => refusal)).toEqual(["not_filled", null, "own_trades_limit"]);
});

it("refuses entries for the rest of a day after the owner's daily loss", () => {
  const losing = withSteps({ 2: -3 });
  expect(entriesOf({ dayLossBps: 200 }, losing, longsAt(0, 4, 24))).toEqual([
    "1",
    "5 own_loss_limit",
    "25",
  ]);
  expect(entriesOf({ dayLossBps: 400 }, losing, longsAt(0, 4))).toEqual(["1", "5"]);
});

it("pauses after consecutive losses until the end of the run, because nobody resumes it", () => {
  const losing = withSteps({ 2: -1, 5: 1, 8: -1, 11: -1 });
  expect(entriesOf({ lossesInRow: 2 }, losing, longsAt(0, 3, 6, 9, 12, 26))).toEqual([
    "1",
    "4",
    "7",
    "10",
    "13 own_losses_limit",
    "27 own_losses_limit",
  ]);
});

it("pauses once the account reached the owner's drawdown limit", () => {
  const falling = withSteps({ 2: 4, 5: -3, 26: -3 });
  expect(entriesOf({ fallBps: 500 }, falling, longsAt(0, 3, 24, 28))).toEqual([
    "1",
    "4",
    "25",
    "29 own_fall_limit",
  ]);
});

it("measures the drawdown from a peak between two orders, as live trading does", () => {
  // Worth 8 % more two hours after the entry, and as much as before at the exit
  const peaked = withSteps({ 3: 8, 5: -7.4 });
  const held = [[0, "OPEN_LONG"] as const, [7, "CLOSE_LONG"] as const, ...longsAt(9, 26)];
  expect(entriesOf({ fallBps: 500 }, peaked, held)).toEqual([
    "1",
    "10 own_fall_limit",
    "27 own_fall_limit",
  ]);
  expect(entriesOf({ fallBps: 900 }, peaked, held)).toEqual(["1", "10", "27"]);
});

it("never denies a closing", () => {
  const limits = { tradesPerDay: 1, dayLossBps: 10, fallBps: 100, lossesInRow: 1 };
  const agent = buildSimulatedAgent({
    slippageBps: 5_000,
    limits: { ...NO_OWNER_LIMITS, ...limits },
  });
  const falling = hourlyBars([100, 100, 50, 50, 50]);
  const { trades } = simulate(buildSimulation(falling, longsAt(0), { agent }));
  expect(trades).toMatchObject([{ endedBy: "signal" }]);
});

it("leaves out the share of one asset, which depends on the owner's other agents", () => {
  expect(entriesOf({ assetShareBps: 100 }, flat, longsAt(0))).toEqual(["1"]);
});
