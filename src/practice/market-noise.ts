/** Amplitude of the noise: integers from minus to plus this. */
export const NOISE_UNIT = 1 << 20;

/** Number of interpolation steps between two lattice points. */
const STEPS = 1 << 10;

function mix(value: number): number {
  let mixed = value | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85eb_ca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35);
  return mixed ^ (mixed >>> 16);
}

const FIRST_HASH = 0x9e37_79b9 | 0;

function hashNext(hash: number, part: number): number {
  const high = Math.floor(part / 0x1_0000_0000);
  return mix(Math.imul(mix(hash ^ part), 31) ^ high);
}

/** Returns a 32-bit hash of all parts, the same in every process. */
export function hashParts(...parts: readonly number[]): number {
  return parts.reduce(hashNext, FIRST_HASH) >>> 0;
}

/** Returns a seed derived from a text. */
export function hashText(text: string): number {
  return hashParts(...Array.from(text, (character) => character.codePointAt(0) ?? 0));
}

/** The smoothstep curve 3t² - 2t³ at every step. */
const CURVE = Int32Array.from({ length: STEPS }, (_, step) =>
  Math.floor((step * step * (3 * STEPS - 2 * step)) / (STEPS * STEPS)),
);

/** One layer of noise: the period between two lattice values in milliseconds, and the weight of its values. */
export type NoiseLayer = readonly [periodMs: number, weight: number];

/** The weighted sum of all layers over time. */
export interface LayeredNoise {
  at(timeMs: number): number;
  /**
   * Returns a value that no sum between two times exceeds, or with `sign` -1 falls below. The fewer lattice values lie
   * between the times, the closer it is.
   */
  bound(fromMs: number, toMs: number, sign: 1 | -1): number;
}

/**
 * Creates smooth noise: each layer goes from one lattice value to the next, rising or falling only. Times that follow
 * each other are cheap, because the last two values of each layer are kept.
 */
export function createLayeredNoise(seed: number, layers: readonly NoiseLayer[]): LayeredNoise {
  const count = layers.length;
  const periods = Float64Array.from(layers, ([periodMs]) => periodMs);
  const weights = Float64Array.from(layers, ([, weight]) => weight);
  const prefixes = layers.map((_, layer) => hashNext(hashNext(FIRST_HASH, seed), layer));
  const indexes = new Float64Array(count).fill(Number.NaN);
  const before = new Int32Array(count);
  const after = new Int32Array(count);

  const latticeAt = (layer: number, index: number): number =>
    ((hashNext(prefixes[layer] as number, index) >>> 0) % (2 * NOISE_UNIT + 1)) - NOISE_UNIT;

  const valueAt = (layer: number, timeMs: number): number => {
    const period = periods[layer] as number;
    const index = Math.floor(timeMs / period);
    const kept = indexes[layer] as number;
    if (index !== kept) {
      before[layer] = index === kept + 1 ? (after[layer] as number) : latticeAt(layer, index);
      after[layer] = latticeAt(layer, index + 1);
      indexes[layer] = index;
    }
    const step = Math.floor(((timeMs - index * period) * STEPS) / period);
    const from = before[layer] as number;
    return from + Math.floor((((after[layer] as number) - from) * (CURVE[step] as number)) / STEPS);
  };

  return {
    at(timeMs) {
      let sum = 0;
      for (let layer = 0; layer < count; layer += 1) {
        sum += valueAt(layer, timeMs) * (weights[layer] as number);
      }
      return sum;
    },
    bound(fromMs, toMs, sign) {
      let sum = 0;
      for (let layer = 0; layer < count; layer += 1) {
        const weight = weights[layer] as number;
        const period = periods[layer] as number;
        const [first, last] = [Math.floor(fromMs / period), Math.floor(toMs / period)];
        if (last - first > 1) {
          sum += sign * NOISE_UNIT * weight;
          continue;
        }
        let furthest = Math.max(sign * valueAt(layer, fromMs), sign * valueAt(layer, toMs));
        if (last > first) furthest = Math.max(furthest, sign * latticeAt(layer, last));
        sum += sign * furthest * weight;
      }
      return sum;
    },
  };
}
