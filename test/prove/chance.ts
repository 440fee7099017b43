/** Repeatable randomness: one seed gives one sequence. */
export interface Chance {
  /** Returns a whole number from `least` to `most`. */
  between(least: number, most: number): number;
  /** Returns true with the probability. */
  isTrue(probability: number): boolean;
  pick<T>(from: readonly [T, ...T[]]): T;
}

/** Creates the sequence of a seed (mulberry32). */
export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    between,
    isTrue: (probability) => next() < probability,
    pick: (from) => from[between(0, from.length - 1)] ?? from[0],
  };
}
