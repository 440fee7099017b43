import type { PriceSource, QuotedPrice } from "./price-source.ts";

/** Amplitude of the noise: integers from minus to plus this. */
const NOISE_UNIT = 1 << 20;

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
function hashParts(...parts: readonly number[]): number {
  return parts.reduce(hashNext, FIRST_HASH) >>> 0;
}

/** Returns a seed derived from a text. */
function hashText(text: string): number {
  return hashParts(...Array.from(text, (character) => character.codePointAt(0) ?? 0));
}

/** The smoothstep curve 3t² - 2t³ at every step. */
const CURVE = Int32Array.from({ length: STEPS }, (_, step) =>
  Math.floor((step * step * (3 * STEPS - 2 * step)) / (STEPS * STEPS)),
);

/** One layer of noise: the period between two lattice values in milliseconds, and the weight of its values. */
type NoiseLayer = readonly [periodMs: number, weight: number];

/** The weighted sum of all layers over time. */
interface LayeredNoise {
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
function createLayeredNoise(seed: number, layers: readonly NoiseLayer[]): LayeredNoise {
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

/** Prices of one interval, quote units with six decimals; volume in whole quote units. */
export interface PracticeCandle {
  readonly openTimeMs: number;
  readonly open: bigint;
  readonly high: bigint;
  readonly low: bigint;
  readonly close: bigint;
  readonly volume: bigint;
}

/** Open time of a candle and of the next one, Unix milliseconds. */
export interface CandleSpan {
  readonly openTimeMs: number;
  readonly closeTimeMs: number;
}

/** A synthetic market that is the same in every process: prices depend only on seed, asset and time. */
export interface PracticeMarket extends PriceSource {
  /** Returns the price at a time, quote units with six decimals; undefined for an unknown asset. */
  priceAt(asset: string, timeMs: number): bigint | undefined;
  /** Returns the candle of a span up to `nowMs`; undefined for an unknown asset. */
  candle(asset: string, span: CandleSpan, nowMs: number): PracticeCandle | undefined;
  /** Fixes an asset's price until it is released with `undefined`; candles continue to show the synthetic prices. */
  setPrice(asset: string, price: bigint | undefined): void;
}

interface AssetSettings {
  /** Price around which the asset moves, six decimals. */
  readonly basePrice: bigint;
  /** Percentage; 100 moves about 3 % a day. */
  readonly volatility: number;
  /** Volume per hour in whole quote units. */
  readonly hourlyVolume: number;
}

const ASSETS: Readonly<Record<string, AssetSettings>> = {
  SOL: { basePrice: 160_000_000n, volatility: 120, hourlyVolume: 40_000_000 },
  BTC: { basePrice: 96_000_000_000n, volatility: 75, hourlyVolume: 300_000_000 },
  ETH: { basePrice: 3_400_000_000n, volatility: 95, hourlyVolume: 150_000_000 },
  ADA: { basePrice: 620_000n, volatility: 120, hourlyVolume: 9_000_000 },
  DOT: { basePrice: 5_200_000n, volatility: 120, hourlyVolume: 4_000_000 },
  AVAX: { basePrice: 24_000_000n, volatility: 125, hourlyVolume: 6_000_000 },
  JUP: { basePrice: 550_000n, volatility: 135, hourlyVolume: 2_000_000 },
  AAPLx: { basePrice: 245_000_000n, volatility: 45, hourlyVolume: 500_000 },
  NVDAx: { basePrice: 165_000_000n, volatility: 75, hourlyVolume: 900_000 },
  TSLAx: { basePrice: 330_000_000n, volatility: 90, hourlyVolume: 800_000 },
  SPYx: { basePrice: 630_000_000n, volatility: 30, hourlyVolume: 700_000 },
};

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Layers of noise: the period of one swing in milliseconds and its reach in millionths. The reach grows with the square
 * root of the period.
 */
const LAYERS: readonly NoiseLayer[] = [
  [90 * DAY, 180_000],
  [30 * DAY, 100_000],
  [7 * DAY, 50_000],
  [2 * DAY, 27_000],
  [12 * HOUR, 13_300],
  [3 * HOUR, 6_700],
  [45 * MINUTE, 3_300],
  [10 * MINUTE, 1_600],
  [2 * MINUTE, 700],
  [30 * SECOND, 350],
  [5 * SECOND, 140],
];

/** Layers of the traded volume: by how many milliseconds it runs ahead or behind; never backwards. */
const VOLUME_LAYERS: readonly NoiseLayer[] = [2 * MINUTE, HOUR, 12 * HOUR].map((periodMs) => [
  periodMs,
  periodMs / 10,
]);

const PPM = 1_000_000n;
const DEFAULT_SEED = 20_261_121;

/** Interval between the samples of a candle's high and low, whatever its length: prices have no faster swings. */
const LOOK_EVERY_MS = 5 * SECOND;

/** Number of parts that a span is cut into while its highest or lowest sample is searched. */
const PARTS = 4;

/** Spans of at most this are searched sample by sample. */
const SHORT_SPAN_MS = 10 * MINUTE;

/** Divisor of the price that gives half the width of its confidence interval. */
const CONFIDENCE_DIVISOR = 2_000n;

/** Deviation of an asset from its base price, in millionths. */
interface Move {
  at(timeMs: number): number;
  /** Returns the lowest and the highest deviation of a span's samples, both ends included. */
  extremes(fromMs: number, toMs: number): readonly [least: number, most: number];
}

function createMove(seed: number, { volatility }: AssetSettings): Move {
  const noise = createLayeredNoise(seed, LAYERS);
  const toMove = (sum: number) => Math.floor((sum / NOISE_UNIT) * (volatility / 100));
  let [least, most] = [0, 0];
  const search = (fromMs: number, toMs: number): void => {
    if (toMs - fromMs <= SHORT_SPAN_MS) {
      for (let timeMs = fromMs; timeMs < toMs; timeMs += LOOK_EVERY_MS) {
        const sum = noise.at(timeMs);
        if (sum > most) most = sum;
        if (sum < least) least = sum;
      }
      return;
    }
    const partMs = Math.ceil((toMs - fromMs) / PARTS / LOOK_EVERY_MS) * LOOK_EVERY_MS;
    for (let partFromMs = fromMs; partFromMs < toMs; partFromMs += partMs) {
      const partToMs = Math.min(toMs, partFromMs + partMs);
      // Left out where nothing in it lies further than what is found already
      const isBeyond =
        noise.bound(partFromMs, partToMs, 1) > most ||
        noise.bound(partFromMs, partToMs, -1) < least;
      if (isBeyond) search(partFromMs, partToMs);
    }
  };
  return {
    at: (timeMs) => toMove(noise.at(timeMs)),
    extremes(fromMs, toMs) {
      const ends = [noise.at(fromMs), noise.at(toMs)] as const;
      [least, most] = [Math.min(...ends), Math.max(...ends)];
      search(fromMs, toMs);
      return [toMove(least), toMove(most)];
    },
  };
}

const priceOf = ({ basePrice }: AssetSettings, movePpm: number): bigint =>
  (basePrice * (PPM + BigInt(movePpm))) / PPM;

/** Creates the synthetic market of a seed. */
export function createPracticeMarket(seed: number = DEFAULT_SEED): PracticeMarket {
  const fixed = new Map<string, bigint>();

  const moves = new Map<string, Move>();

  const volumeNoise = createLayeredNoise(hashParts(seed, hashText("volume")), VOLUME_LAYERS);

  const moveOf = (asset: string, settings: AssetSettings): Move => {
    const known = moves.get(asset);
    if (known !== undefined) return known;
    const move = createMove(hashParts(seed, hashText(asset)), settings);
    moves.set(asset, move);
    return move;
  };

  const priceAt = (asset: string, timeMs: number): bigint | undefined => {
    const settings = ASSETS[asset];
    return fixed.get(asset) ?? (settings && priceOf(settings, moveOf(asset, settings).at(timeMs)));
  };

  const candle = (
    asset: string,
    settings: AssetSettings,
    { openTimeMs, closeTimeMs }: CandleSpan,
    nowMs: number,
  ): PracticeCandle => {
    const endMs = Math.min(closeTimeMs, nowMs);
    const move = moveOf(asset, settings);
    const [least, most] = move.extremes(openTimeMs, endMs);
    const traded = (timeMs: number) =>
      Math.floor((timeMs + volumeNoise.at(timeMs) / NOISE_UNIT) * (settings.hourlyVolume / HOUR));
    return {
      openTimeMs,
      // The price is monotonic in the move, so both have their extremes at the same time
      open: priceOf(settings, move.at(openTimeMs)),
      high: priceOf(settings, most),
      low: priceOf(settings, least),
      close: priceOf(settings, move.at(endMs)),
      volume: BigInt(traded(endMs) - traded(openTimeMs)),
    };
  };

  return {
    label: "practice market",
    priceAt,
    candle(asset, span, nowMs) {
      const settings = ASSETS[asset];
      return settings && candle(asset, settings, span, nowMs);
    },
    quote(asset, atMs): QuotedPrice | undefined {
      const price = priceAt(asset, atMs);
      if (price === undefined) return undefined;
      return { price, confidence: price / CONFIDENCE_DIVISOR, publishedAtMs: atMs };
    },
    setPrice(asset, price) {
      if (price === undefined) fixed.delete(asset);
      else fixed.set(asset, price);
    },
  };
}
