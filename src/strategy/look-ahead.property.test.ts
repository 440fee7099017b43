import { expect, it } from "vitest";
import {
  buildSimulatedAgent,
  buildSimulation,
  FIRST_BAR_MS,
  NO_COSTS,
} from "../../test/simulated.ts";
import type { Bar } from "./bar-times.ts";
import { seededRandom } from "./random.ts";
import { deviationOf, meanOf } from "./measures.ts";
import { simulate } from "./simulate.ts";
import type { RecordedFiring, SimulationInput } from "./simulation.ts";

const MINUTE_MS = 60_000;
const HOURS = 120;
const WALKS = 150;

/** Returns the minutes of a walk without drift; each step is as likely up as down by the same share. */
function driftlessMinutes(seed: number): Bar[] {
  const random = seededRandom(seed);
  let price = 100;
  return Array.from({ length: HOURS * 60 }, (_, at) => {
    const open = price;
    price *= 1 + (random() < 0.5 ? -1 : 1) * 0.002;
    const openTimeMs = FIRST_BAR_MS + at * MINUTE_MS;
    const [low, high] = [Math.min(open, price), Math.max(open, price)];
    const closeTimeMs = openTimeMs + MINUTE_MS;
    return { openTimeMs, closeTimeMs, open, high, low, close: price, volume: 1 };
  });
}

function toHours(minutes: readonly Bar[]): Bar[] {
  return Array.from({ length: minutes.length / 60 }, (_, hour) => {
    const part = minutes.slice(hour * 60, hour * 60 + 60);
    const [first, last] = [part[0] as Bar, part[59] as Bar];
    const high = Math.max(...part.map((each) => each.high));
    const low = Math.min(...part.map((each) => each.low));
    return { ...first, high, low, closeTimeMs: last.closeTimeMs, close: last.close };
  });
}

/** Alerts that have seen the first minutes of an hour: long where they rose, out where they fell. */
const afterSeeing = (minutes: readonly Bar[], seen: number, dated: (bar: Bar) => number) =>
  Array.from({ length: HOURS - 2 }, (_, hour): RecordedFiring => {
    const [first, last] = [minutes[hour * 60], minutes[hour * 60 + seen - 1]] as [Bar, Bar];
    return { alertKey: last.close > first.open ? "OPEN_LONG" : "CLOSE_LONG", atMs: dated(last) };
  });

/** Returns the mean result of all walks in standard errors from the starting money. */
function advantageOf(parts: (minutes: readonly Bar[]) => Partial<SimulationInput>): number {
  const agent = buildSimulatedAgent({ slippageBps: 5_000 });
  const ends = Array.from({ length: WALKS }, (_, seed) => {
    const result = simulate({
      ...buildSimulation([], [], { agent, costs: NO_COSTS }),
      ...parts(driftlessMinutes(seed)),
    });
    expect(result.trades.length).toBeGreaterThan(10);
    return Number(result.endMoney) / Number(result.startMoney) - 1;
  });
  return meanOf(ends) / (deviationOf(ends) / Math.sqrt(WALKS));
}

const recorded = (firings: readonly RecordedFiring[]) => ({ kind: "recorded", firings }) as const;

it.each([1, 5, 60])(
  "earns nothing on driftless walks with alerts that saw %i minutes of the hour",
  (seen) => {
    for (const barsOf of [toHours, (minutes: readonly Bar[]) => minutes]) {
      const advantage = advantageOf((minutes) => ({
        bars: barsOf(minutes),
        firings: recorded(afterSeeing(minutes, seen, ({ closeTimeMs }) => closeTimeMs)),
      }));
      expect(Math.abs(advantage)).toBeLessThan(3.5);
    }
  },
);

it("earns nothing with a file that dates its orders at the open of their hour", () => {
  const advantage = advantageOf((minutes) => {
    const firings = afterSeeing(minutes, 30, ({ openTimeMs }) => openTimeMs - 29 * MINUTE_MS);
    const filledAt = (atMs: number) => minutes[(atMs - FIRST_BAR_MS) / MINUTE_MS + 29] as Bar;
    return {
      bars: toHours(minutes),
      firings: recorded(firings.map((each) => ({ ...each, price: filledAt(each.atMs).close }))),
    };
  });
  // An order that filled within the tolerance of the open keeps it, for what that is worth
  expect(Math.abs(advantage)).toBeLessThan(3.5);
});
