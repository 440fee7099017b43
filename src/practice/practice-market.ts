import { createSmoothNoise, hashParts, hashText, NOISE_UNIT } from "./market-noise.ts";
import type { PriceSource, QuotedPrice } from "./price-source.ts";

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
const LAYERS: readonly (readonly [periodMs: number, reachPpm: number])[] = [
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

const PPM = 1_000_000n;
const DEFAULT_SEED = 20_261_121;

/** Largest number of samples for a candle's high and low, besides its open and close. */
const MAX_LOOKS_PER_CANDLE = 48;

/** Interval between the samples of a short candle: prices have no faster swings. */
const LOOK_EVERY_MS = 5 * SECOND;

/** Divisor of the price that gives half the width of its confidence interval. */
const CONFIDENCE_DIVISOR = 2_000n;

/** Deviation of an asset from its base price at a time, in millionths. */
type Move = (timeMs: number) => number;

function createMove(seed: number, { volatility }: AssetSettings): Move {
  const layers = LAYERS.map(([periodMs, reachPpm], layer) => ({
    noise: createSmoothNoise(seed, layer, periodMs),
    reachPpm,
  }));
  return (timeMs) => {
    let sum = 0;
    for (const { noise, reachPpm } of layers) sum += noise(timeMs) * reachPpm;
    return Math.floor((sum / NOISE_UNIT) * (volatility / 100));
  };
}

const priceOf = ({ basePrice }: AssetSettings, movePpm: number): bigint =>
  (basePrice * (PPM + BigInt(movePpm))) / PPM;

/** Creates the synthetic market of a seed. */
export function createPracticeMarket(seed: number = DEFAULT_SEED): PracticeMarket {
  const fixed = new Map<string, bigint>();

  const moves = new Map<string, Move>();

  const moveOf = (asset: string, settings: AssetSettings): Move => {
    const known = moves.get(asset);
    if (known !== undefined) return known;
    const move = createMove(hashParts(seed, hashText(asset)), settings);
    moves.set(asset, move);
    return move;
  };

  const priceAt = (asset: string, timeMs: number): bigint | undefined => {
    const settings = ASSETS[asset];
    return fixed.get(asset) ?? (settings && priceOf(settings, moveOf(asset, settings)(timeMs)));
  };

  const candle = (
    asset: string,
    settings: AssetSettings,
    { openTimeMs, closeTimeMs }: CandleSpan,
    nowMs: number,
  ): PracticeCandle => {
    const span = Math.min(closeTimeMs, nowMs) - openTimeMs;
    const looks = Math.max(1, Math.min(MAX_LOOKS_PER_CANDLE, Math.ceil(span / LOOK_EVERY_MS)));
    const move = moveOf(asset, settings);
    const first = move(openTimeMs);
    let [most, least, last] = [first, first, first];
    for (let look = 1; look <= looks; look += 1) {
      last = move(openTimeMs + Math.floor((span * look) / looks));
      if (last > most) most = last;
      if (last < least) least = last;
    }
    const lengthMs = closeTimeMs - openTimeMs;
    const share = 50 + (hashParts(seed, hashText(asset), openTimeMs, lengthMs) % 101);
    const volume = Math.floor((((settings.hourlyVolume / HOUR) * span) / 100) * share);
    return {
      openTimeMs,
      // The price is monotonic in the move, so both have their extremes at the same time
      open: priceOf(settings, first),
      high: priceOf(settings, most),
      low: priceOf(settings, least),
      close: priceOf(settings, last),
      volume: BigInt(volume),
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
