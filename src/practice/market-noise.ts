/** Noise is an integer between minus and plus this. */
export const NOISE_UNIT = 1 << 20;

/** Smoothing steps between two lattice points. */
const STEPS = 1 << 10;

function mix(value: number): number {
  let mixed = value | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85eb_ca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35);
  return mixed ^ (mixed >>> 16);
}

/** Returns a number of 32 bits that depends on every part, the same in every process. */
export function hashParts(...parts: readonly number[]): number {
  let hash = 0x9e37_79b9 | 0;
  for (const part of parts) {
    const high = Math.floor(part / 0x1_0000_0000);
    hash = mix(hash ^ part);
    hash = mix(Math.imul(hash, 31) ^ high);
  }
  return hash >>> 0;
}

/** Returns a seed for a text. */
export function hashText(text: string): number {
  return hashParts(...Array.from(text, (character) => character.codePointAt(0) ?? 0));
}

function lattice(seed: number, layer: number, index: number): number {
  return (hashParts(seed, layer, index) % (2 * NOISE_UNIT + 1)) - NOISE_UNIT;
}

/** Returns smooth noise with one free value every `periodMs`, an integer of plus or minus `NOISE_UNIT`. */
export function smoothNoise(seed: number, layer: number, timeMs: number, periodMs: number): number {
  const index = Math.floor(timeMs / periodMs);
  const step = Math.floor(((timeMs - index * periodMs) * STEPS) / periodMs);
  // The smoothstep curve 3t² - 2t³ in steps
  const curve = Math.floor((step * step * (3 * STEPS - 2 * step)) / (STEPS * STEPS));
  const from = lattice(seed, layer, index);
  const to = lattice(seed, layer, index + 1);
  return from + Math.floor(((to - from) * curve) / STEPS);
}
