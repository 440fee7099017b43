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

/** Returns a 32-bit hash of all parts, the same in every process. */
export function hashParts(...parts: readonly number[]): number {
  let hash = 0x9e37_79b9 | 0;
  for (const part of parts) {
    const high = Math.floor(part / 0x1_0000_0000);
    hash = mix(hash ^ part);
    hash = mix(Math.imul(hash, 31) ^ high);
  }
  return hash >>> 0;
}

/** Returns a seed derived from a text. */
export function hashText(text: string): number {
  return hashParts(...Array.from(text, (character) => character.codePointAt(0) ?? 0));
}

function lattice(seed: number, layer: number, index: number): number {
  return (hashParts(seed, layer, index) % (2 * NOISE_UNIT + 1)) - NOISE_UNIT;
}

/** The smoothstep curve 3t² - 2t³ at every step. */
const CURVE = Int32Array.from({ length: STEPS }, (_, step) =>
  Math.floor((step * step * (3 * STEPS - 2 * step)) / (STEPS * STEPS)),
);

/** Noise over time, an integer of plus or minus `NOISE_UNIT`. */
export type SmoothNoise = (timeMs: number) => number;

/**
 * Creates smooth noise with one lattice value every `periodMs`. Nearby times are cheap: the last two values are cached.
 */
export function createSmoothNoise(seed: number, layer: number, periodMs: number): SmoothNoise {
  let keptIndex = Number.NaN;
  let from = 0;
  let to = 0;
  return (timeMs) => {
    const index = Math.floor(timeMs / periodMs);
    if (index !== keptIndex) {
      from = index === keptIndex + 1 ? to : lattice(seed, layer, index);
      to = lattice(seed, layer, index + 1);
      keptIndex = index;
    }
    const step = Math.floor(((timeMs - index * periodMs) * STEPS) / periodMs);
    return from + Math.floor(((to - from) * (CURVE[step] ?? 0)) / STEPS);
  };
}
