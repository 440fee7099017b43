/** Repeatable randomness: the same seed gives the same choices on every machine. */
export interface Random {
  /** A whole number from `least` to `most`, both included. */
  int(least: number, most: number): number;
  chance(percent: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** Picks by weight: the first of each pair. */
  weighted<T>(items: readonly (readonly [number, T])[]): T;
  bytes(length: number): Uint8Array;
}

/** Creates the generator of a seed (sfc32). */
export function createRandom(seed: number, stream = 0): Random {
  let [a, b, c, counter] = [0x9e37_79b9 ^ stream, 0x243f_6a88, seed | 0, 1];
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return sum >>> 0;
  };
  for (let turn = 0; turn < 12; turn += 1) next();
  const int = (least: number, most: number) => least + (next() % (most - least + 1));
  const pick = <T>(items: readonly T[]): T => {
    const item = items[int(0, items.length - 1)];
    if (item === undefined) throw new Error("There is nothing to pick from");
    return item;
  };
  return {
    int,
    pick,
    chance: (percent) => int(1, 100) <= percent,
    weighted(items) {
      const total = items.reduce((sum, [weight]) => sum + weight, 0);
      let left = int(1, total);
      for (const [weight, item] of items) {
        left -= weight;
        if (left <= 0) return item;
      }
      throw new Error("There is nothing to pick from");
    },
    bytes: (length) => Uint8Array.from({ length }, () => next() & 0xff),
  };
}
