import { expect, it } from "vitest";
import { NO_COSTS } from "../../test/simulated.ts";
import { costsAt, fundingOver } from "./costs-over-time.ts";

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 0, 5);

it("takes what was measured in an hour of the day where that is more than the venue's spread", () => {
  const hours = Array.from({ length: 24 }, (_, hour) => (hour === 3 ? null : hour * 100));
  const costs = { ...NO_COSTS, halfSpreadPpm: 250, halfSpreadPpmByHour: hours };
  const spreads = [0, 2.99, 3, 3.5, 4, 23.99, 24, 27].map(
    (hour) => costsAt(costs, START_MS + hour * HOUR_MS).halfSpreadPpm,
  );
  expect(spreads).toEqual([250, 250, 250, 250, 400, 2_300, 250, 250]);
});

it("adds published rates up over the time since the one before, and says what none covers", () => {
  const at = (hours: number) => START_MS + hours * HOUR_MS;
  const over = fundingOver({ atMs: [at(8), at(16), at(20)], ppm: [80, -160, 40] });
  const of = (from: number, to: number) => {
    const { share, uncoveredMs } = over(at(from), at(to));
    return [Math.round(share * 1e9) / 1e3, uncoveredMs / HOUR_MS];
  };
  expect(of(0, 8)).toEqual([80, 0]);
  expect(of(0, 20)).toEqual([-40, 0]);
  expect(of(4, 12)).toEqual([-40, 0]);
  expect(of(17, 18)).toEqual([10, 0]);
  expect(of(-5, 1)).toEqual([10, 5]);
  expect(of(19, 24)).toEqual([10, 4]);
  expect(of(21, 24)).toEqual([0, 3]);
  expect(of(-9, -4)).toEqual([0, 5]);
});

it.each([[undefined], [{ atMs: [], ppm: [] }], [{ atMs: [START_MS], ppm: [100] }]])(
  "covers nothing without two rates: %j",
  (published) => {
    expect(fundingOver(published)(START_MS - 5, START_MS)).toEqual({ share: 0, uncoveredMs: 5 });
  },
);
