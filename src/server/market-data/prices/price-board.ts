import type { Clock } from "../../../domain/clock.ts";
import type { NoPrice, SourceFault } from "../../../domain/agent-health.ts";
import { PAPER_ASSETS, type PriceReading } from "./price-dialects.ts";

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

/** A larger move since the last price, in millionths, is a jump, which two sources may share by mistake. */
const JUMP_PPM = 200_000n;

/** Number of sources that are believed a jump at once, and how long fewer have to repeat it, in milliseconds. */
const JUMP_SOURCES = 3;
const JUMP_LASTS_MS = 10_000;

const PPM = 1_000_000n;

/** Price of a market, from all sources that agree; six decimals. */
interface CombinedPrice {
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
function isPlausible(reading: Reading): boolean {
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
function combineReadings(
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

/** A source that gives no price of at least one asset at present. */
export interface SourceTrouble {
  readonly fault: SourceFault;
  readonly sinceMs: number;
  /** Assets it gives no price of. */
  readonly assets: readonly string[];
}

/** Price of a market as published; one older than the sources' newest keeps its times. */
export interface PublishedPrice extends CombinedPrice {
  /** When it was published, by this server's clock. */
  readonly postedAtMs: number;
}

/** Sum of half spreads in millionths, and of how many prices, by hour of the day, UTC. */
export type HourlySpreads = readonly (readonly [sum: number, count: number])[];

/** Prices of an hour of the day that its spread is the mean of at most: the older half then counts half. A week's. */
const MAX_SPREADS = 60_000;

function withSpread(
  spreads: HourlySpreads | undefined,
  { halfSpread, price }: CombinedPrice,
  nowMs: number,
): HourlySpreads {
  const hour = Math.floor(nowMs / HOUR_MS) % 24;
  return Array.from({ length: 24 }, (_, at) => {
    const [sum, count] = spreads?.[at] ?? [0, 0];
    if (at !== hour) return [sum, count];
    const next = [sum + Number((halfSpread * PPM + price - 1n) / price), count + 1] as const;
    return count < MAX_SPREADS ? next : [Math.round(next[0] / 2), Math.round(next[1] / 2)];
  });
}

/** All that is published at one moment. */
export interface PriceBulletin {
  readonly prices: Readonly<Record<string, PublishedPrice>>;
  /** Why an asset has no new price; absent while it has one. */
  readonly missing: Readonly<Record<string, NoPrice>>;
  /** Spreads that were measured of each asset. */
  readonly spreads: Readonly<Record<string, HourlySpreads>>;
  readonly sources: readonly { readonly name: string; readonly trouble: SourceTrouble | null }[];
}

/** Largest lead of a source's clock, in milliseconds. */
const MAX_AHEAD_MS = 5_000;

/** A source without a usable reading of an asset for this long is in trouble, in milliseconds. */
const QUIET_MS = 10_000;

/** What one source gave, and what is wrong with it. */
interface SourceState {
  readonly startedAtMs: number;
  readonly newest: Map<string, PriceReading>;
  /** When the newest reading of each asset was received, by this server's clock. */
  readonly goodAtMs: Map<string, number>;
  fault: SourceFault | null;
  /** Assets whose price was last published without this source. */
  readonly outside: Set<string>;
  apartSinceMs: number | null;
}

/** Readings of all sources, and the prices published from them. */
export interface PriceBoard {
  /** Takes readings of a source; implausible, repeated, older and future ones are not used. */
  receive(source: string, readings: readonly PriceReading[]): void;
  fail(source: string, fault: SourceFault): void;
  /** Combines the readings. Prices that did not change keep their times. */
  publish(): PriceBulletin;
}

function faultOf(
  reading: PriceReading,
  { newest }: SourceState,
  nowMs: number,
): SourceFault | null {
  if (!isPlausible(reading)) return "unreadable";
  if (reading.atMs > nowMs + MAX_AHEAD_MS) return "ahead";
  const leastMs = newest.get(reading.asset)?.atMs ?? 0;
  return reading.atMs <= leastMs || reading.atMs < nowMs - STALE_MS ? "old" : null;
}

function take(reading: PriceReading, state: SourceState, nowMs: number): void {
  state.fault = faultOf(reading, state, nowMs);
  if (state.fault !== null) return;
  state.newest.set(reading.asset, reading);
  state.goodAtMs.set(reading.asset, nowMs);
}

/** Notes of which assets the newest price was published without the source. */
function noteOutside(
  name: string,
  state: SourceState,
  { prices, nowMs }: { readonly prices: PriceBulletin["prices"]; readonly nowMs: number },
): void {
  for (const asset of PAPER_ASSETS) {
    const price = prices[asset];
    if (price?.postedAtMs !== nowMs) continue;
    if (price.sources.includes(name)) state.outside.delete(asset);
    else state.outside.add(asset);
  }
  if (state.outside.size === 0) state.apartSinceMs = null;
  else state.apartSinceMs ??= nowMs;
}

function troubleOf(state: SourceState, nowMs: number): SourceTrouble | null {
  const { goodAtMs, startedAtMs, apartSinceMs } = state;
  const good = (asset: string) => goodAtMs.get(asset) ?? startedAtMs;
  const quiet = PAPER_ASSETS.filter((asset) => nowMs - good(asset) > QUIET_MS);
  if (quiet.length > 0) {
    const sinceMs = Math.min(...quiet.map(good));
    return { fault: state.fault ?? "old", sinceMs, assets: quiet };
  }
  return apartSinceMs === null
    ? null
    : { fault: "apart", sinceMs: apartSinceMs, assets: [...state.outside] };
}

const newState = (startedAtMs: number): SourceState => ({
  startedAtMs,
  newest: new Map(),
  goodAtMs: new Map(),
  fault: null,
  outside: new Set(),
  apartSinceMs: null,
});

/** Returns what holds a jump back until three sources tell of it, or fewer have told of it for a while. */
function createJumpHold() {
  const jumps = new Map<string, { readonly price: bigint; readonly sinceMs: number }>();
  return (
    asset: string,
    combined: CombinedPrice | NoPrice,
    { last, nowMs }: { readonly last: bigint | undefined; readonly nowMs: number },
  ): CombinedPrice | NoPrice => {
    const isJump =
      typeof combined !== "string" &&
      combined.sources.length < JUMP_SOURCES &&
      last !== undefined &&
      !isNear(combined.price, last, JUMP_PPM);
    const known = jumps.get(asset);
    jumps.delete(asset);
    if (!isJump) return combined;
    const isRepeated = known !== undefined && isNear(known.price, combined.price, JUMP_PPM);
    const jump = isRepeated ? known : { price: combined.price, sinceMs: nowMs };
    jumps.set(asset, jump);
    return nowMs - jump.sinceMs < JUMP_LASTS_MS ? "jumped" : combined;
  };
}

/** Creates the board of some sources. `last` is what was published earlier, for instance before a restart. */
export function createPriceBoard(
  names: readonly string[],
  clock: Clock,
  last?: Pick<PriceBulletin, "prices" | "spreads">,
): PriceBoard {
  const startedAtMs = clock.now();
  const states = new Map(names.map((name) => [name, newState(startedAtMs)]));
  let { prices, spreads } = last ?? { prices: {}, spreads: {} };

  const holdJump = createJumpHold();

  const combine = (asset: string, nowMs: number): CombinedPrice | NoPrice => {
    const readings = [...states].flatMap(([name, { newest }]) => {
      const reading = newest.get(asset);
      return reading === undefined ? [] : [[name, reading] as const];
    });
    const isOnlySource = states.size === 1;
    return combineReadings(new Map(readings), prices[asset], nowMs, { isOnlySource });
  };

  return {
    receive(source, readings) {
      const state = states.get(source);
      if (state === undefined) throw new Error(`No price source ${source}`);
      for (const reading of readings) take(reading, state, clock.now());
    },
    fail(source, fault) {
      const state = states.get(source);
      if (state !== undefined) state.fault = fault;
    },
    publish() {
      const nowMs = clock.now();
      const next: Record<string, PublishedPrice> = { ...prices };
      const measured: Record<string, HourlySpreads> = { ...spreads };
      const missing: Record<string, NoPrice> = {};
      for (const asset of PAPER_ASSETS) {
        const combined = holdJump(asset, combine(asset, nowMs), {
          last: prices[asset]?.price,
          nowMs,
        });
        if (typeof combined === "string") missing[asset] = combined;
        else if (combined.publishedAtMs > (next[asset]?.publishedAtMs ?? 0)) {
          next[asset] = { ...combined, postedAtMs: nowMs };
          measured[asset] = withSpread(spreads[asset], combined, nowMs);
        }
      }
      prices = next;
      spreads = measured;
      const sources = [...states].map(([name, state]) => {
        noteOutside(name, state, { prices, nowMs });
        return { name, trouble: troubleOf(state, nowMs) };
      });
      return { prices, missing, spreads, sources };
    },
  };
}
