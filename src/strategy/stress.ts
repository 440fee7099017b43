import type { Bar } from "./bar.ts";
import { type FiringSource, firingSourceOf } from "./firing-source.ts";
import { returnOver } from "../domain/measures/growth.ts";
import type { Random } from "./random.ts";
import { simulate } from "./simulate.ts";
import type { SimulationInput } from "./simulation.ts";

/** Number of runs with noise; the middle one counts. */
const NOISY_RUNS = 5;

/** Total returns of a run under worse conditions, each changed alone; 0.1 is ten percent. */
export interface StressLines {
  /** Every alert counts one bar later. */
  readonly oneBarLater: number;
  /** Fee, spread and impact are twice as high; funding is unchanged. */
  readonly costsTwice: number;
  /** Every price of every bar is moved by up to half the spread, at random; the middle of five runs. */
  readonly noise: number;
}

/** Runs a simulation again under worse conditions. */
export function stressLines(input: SimulationInput, random: Random): StressLines {
  const { costs, bars } = input;
  const { feePpm, halfSpreadPpm, impactPpm } = costs;
  const dear = {
    feePpm: 2 * feePpm,
    halfSpreadPpm: 2 * halfSpreadPpm,
    halfSpreadPpmByHour: costs.halfSpreadPpmByHour?.map((ppm) => ppm && 2 * ppm),
    impactPpm: 2 * impactPpm,
  };
  const noisy = Array.from({ length: NOISY_RUNS }, () =>
    endOf({ ...input, bars: bars.map((bar) => withNoise(bar, halfSpreadPpm / 1e6, random)) }),
  ).toSorted((one, other) => one - other);
  return {
    oneBarLater: endOf(input, oneBarLater(firingSourceOf(input))),
    costsTwice: endOf({ ...input, costs: { ...costs, ...dear } }),
    noise: noisy[NOISY_RUNS >> 1] ?? 0,
  };
}

const endOf = (input: SimulationInput, source?: FiringSource): number =>
  returnOver(Number(input.startMoney), Number(simulate(input, source).endMoney));

/** Returns a source whose alerts arrive when the next bar closes. */
function oneBarLater(source: FiringSource): FiringSource {
  let waiting: ReturnType<FiringSource["next"]> = [];
  return {
    warmUpBars: source.warmUpBars,
    left: () => source.left() + waiting.length,
    next(bar, position) {
      const due = waiting.map(({ alertKey }) => ({ alertKey }));
      waiting = source.next(bar, position);
      return due;
    },
  };
}

/** Returns a bar with each price moved by up to a share of it; the extremes still contain open and close. */
function withNoise(bar: Bar, share: number, random: Random): Bar {
  const moved = (price: number) => price * (1 + share * (2 * random() - 1));
  const [open, close] = [moved(bar.open), moved(bar.close)];
  const high = Math.max(open, close, moved(bar.high));
  const low = Math.min(open, close, moved(bar.low));
  return { ...bar, open, high, low, close };
}
