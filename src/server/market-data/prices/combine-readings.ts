import type { NoPrice } from "../../../domain/live-price.ts";
import type { PriceReading } from "./price-dialects.ts";

/** Age, by the sources' own time, at which a price is stale, in milliseconds. */
export const STALE_MS = 30_000;

/** A reading counts beside the newest one if it is at most this older, in milliseconds. */
const BESIDE_MS = 10_000;

/** Largest difference of sources that agree, and largest half spread, in millionths: the exchange trades up to 2 %. */
const MAX_APART_PPM = 20_000n;

/** Added to the confidence of a price that one source alone gives, in millionths. */
const ALONE_PPM = 2_500n;

/**
 * Largest move that is believed of one source alone, in millionths: 10 % since the last price, 10 % more each hour since
 * then, and at most 50 %.
 */
const LONE_MOVE_PPM = 100_000n;
const MAX_LONE_MOVE_PPM = 500_000n;
const HOUR_MS = 3_600_000;

const PPM = 1_000_000n;

/** Price of a market, from all sources that agree; six decimals. */
export interface CombinedPrice {
  readonly price: bigint;
  /** Half of the range of the sources' prices plus half of their median spread; wider when one source is alone. */
  readonly confidence: bigint;
  /** Half of the median spread between bid and ask. */
  readonly halfSpread: bigint;
  /** Newest time among the sources, by their own clocks. */
  readonly publishedAtMs: number;
  /** Sources that agree. */
  readonly sources: readonly string[];
}

type Reading = Omit<PriceReading, "asset">;

interface Named {
  readonly source: string;
  readonly middle: bigint;
  readonly halfSpread: bigint;
  readonly atMs: number;
}

const middleOf = ({ bid, ask }: Reading): bigint => (bid + ask) / 2n;

/** Returns whether bid and ask can be those of one market: not crossed, and close enough to trade at. */
export function isPlausible(reading: Reading): boolean {
  const { bid, ask } = reading;
  return bid > 0n && bid <= ask && (ask - bid) * PPM <= 2n * MAX_APART_PPM * middleOf(reading);
}

const isNear = (one: bigint, other: bigint, ppm: bigint): boolean => {
  const [less, more] = one < other ? [one, other] : [other, one];
  return (more - less) * PPM <= less * ppm;
};

const median = (sorted: readonly bigint[]): bigint => {
  const upper = sorted[sorted.length >> 1] ?? 0n;
  const lower = sorted[(sorted.length - 1) >> 1] ?? 0n;
  return (lower + upper) / 2n;
};

const ascending = (values: readonly bigint[]): readonly bigint[] =>
  values.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0));

/** Returns the sources that agree with each other, if they are most of those given; otherwise none. */
function agreeing(all: readonly Named[]): readonly Named[] {
  const groups = all.map(({ middle }) =>
    all.filter((each) => isNear(each.middle, middle, MAX_APART_PPM)),
  );
  const largest = groups.reduce((one, other) => (other.length > one.length ? other : one), []);
  return largest.length * 2 > all.length ? largest : [];
}

function mayMove(
  price: bigint,
  last: Pick<CombinedPrice, "price" | "publishedAtMs"> | undefined,
  atMs: number,
): boolean {
  if (last === undefined) return false;
  const hours = BigInt(Math.max(0, Math.floor((atMs - last.publishedAtMs) / HOUR_MS)));
  const ppm = LONE_MOVE_PPM * (1n + hours);
  return isNear(price, last.price, ppm < MAX_LONE_MOVE_PPM ? ppm : MAX_LONE_MOVE_PPM);
}

/**
 * Combines the newest readings of a market, by source, into one price.
 *
 * `last` is the market's previous price: one source alone may move it only so far, and without one it is believed only
 * where no other source is configured.
 */
export function combineReadings(
  readings: ReadonlyMap<string, Reading>,
  last: Pick<CombinedPrice, "price" | "publishedAtMs"> | undefined,
  nowMs: number,
  { isOnlySource }: { readonly isOnlySource: boolean },
): CombinedPrice | NoPrice {
  const newestMs = Math.max(0, ...[...readings.values()].map(({ atMs }) => atMs));
  if (nowMs - newestMs > STALE_MS) return "stale";
  const current = [...readings].flatMap(([source, reading]): Named[] => {
    const { bid, ask, atMs } = reading;
    if (newestMs - atMs > BESIDE_MS) return [];
    return [{ source, middle: middleOf(reading), halfSpread: (ask - bid + 1n) / 2n, atMs }];
  });
  const agreed = agreeing(current);
  if (agreed.length === 0) return "apart";
  const prices = ascending(agreed.map(({ middle }) => middle));
  const price = median(prices);
  const halfSpread = median(ascending(agreed.map((each) => each.halfSpread)));
  const publishedAtMs = Math.max(...agreed.map(({ atMs }) => atMs));
  const isAlone = agreed.length === 1;
  if (isAlone && !(isOnlySource && last === undefined) && !mayMove(price, last, publishedAtMs)) {
    return "unconfirmed";
  }
  const apart = ((prices.at(-1) ?? 0n) - (prices[0] ?? 0n) + 1n) / 2n;
  const alone = isAlone ? (price * ALONE_PPM) / PPM : 0n;
  return {
    price,
    confidence: apart + halfSpread + alone,
    halfSpread,
    publishedAtMs,
    sources: agreed.map(({ source }) => source),
  };
}
