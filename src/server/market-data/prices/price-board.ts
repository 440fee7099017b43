import type { Clock } from "../../../domain/clock.ts";
import type { NoPrice, SourceFault } from "../../../domain/agent-health.ts";
import { PRICED_ASSETS, type PriceReading } from "../../../venues/price-dialects.ts";

/** Age, by the sources' own time, at which a price is stale, in milliseconds. */
export const STALE_MS = 30_000;

/** A source counts for this long after its newest answer, in milliseconds. */
const ANSWERED_MS = 10_000;

/** Largest difference of sources that agree, in millionths. */
const AGREED_PPM = 10_000n;

/** Largest difference of sources whose middle is still a basis for an exit, in millionths: an exit's widest limit. */
const ROUGH_PPM = 100_000n;

/** Largest half spread of a source, in millionths: the exchange trades up to 2 %. */
const MAX_SPREAD_PPM = 20_000n;

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
  /** Whether real money may enter at it: two sources agree, and fewer than a third of those that answered differ. */
  readonly isConfirmed: boolean;
}

interface Reading extends Pick<PriceReading, "bid" | "ask"> {
  readonly atMs: number;
  /** When it was received, by this server's clock. */
  readonly goodAtMs: number;
}

interface Named {
  readonly source: string;
  readonly middle: bigint;
  readonly halfSpread: bigint;
  readonly atMs: number;
}

const middleOf = ({ bid, ask }: Pick<PriceReading, "bid" | "ask">): bigint => (bid + ask) / 2n;

/** Returns whether bid and ask can be those of one market: not crossed, and close enough to trade at. */
function isPlausible(reading: PriceReading): boolean {
  const { bid, ask } = reading;
  return bid > 0n && bid <= ask && (ask - bid) * PPM <= 2n * MAX_SPREAD_PPM * middleOf(reading);
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
  const groups = all.map(({ middle: least }) =>
    all.filter(({ middle }) => middle >= least && isNear(middle, least, AGREED_PPM)),
  );
  const largest = groups.reduce((one, other) => (other.length > one.length ? other : one), []);
  return largest.length * 2 > all.length ? largest : [];
}

function mayMove(
  price: bigint,
  last: Pick<CombinedPrice, "price" | "publishedAtMs">,
  atMs: number,
): boolean {
  const hours = BigInt(Math.max(0, Math.floor((atMs - last.publishedAtMs) / HOUR_MS)));
  const ppm = LONE_MOVE_PPM * (1n + hours);
  return isNear(price, last.price, ppm < MAX_LONE_MOVE_PPM ? ppm : MAX_LONE_MOVE_PPM);
}

/** Returns the median of some sources, uncertain by half of their range and of their spread. */
function medianOf(all: readonly Named[], isConfirmed: boolean): CombinedPrice {
  const prices = ascending(all.map(({ middle }) => middle));
  const halfSpread = median(ascending(all.map((each) => each.halfSpread)));
  const apart = ((prices.at(-1) ?? 0n) - (prices[0] ?? 0n) + 1n) / 2n;
  return {
    price: median(prices),
    confidence: apart + halfSpread,
    halfSpread,
    publishedAtMs: Math.max(...all.map(({ atMs }) => atMs)),
    sources: all.map(({ source }) => source),
    isConfirmed,
  };
}

/**
 * Combines what sources answered of a market within the last seconds into one price.
 *
 * `last` is the market's previous price: one source alone may move it only so far.
 */
function combineReadings(
  current: readonly Named[],
  last: Pick<CombinedPrice, "price" | "publishedAtMs"> | undefined,
): CombinedPrice | NoPrice {
  if (current.length === 0) return "stale";
  const agreed = agreeing(current);
  if (agreed.length === 0) return "apart";
  const others = current.length - agreed.length;
  const combined = medianOf(agreed, agreed.length > 1 && others * 3 < current.length);
  if (agreed.length > 1) return combined;
  const { price, publishedAtMs, confidence } = combined;
  if (last !== undefined && !mayMove(price, last, publishedAtMs)) return "unconfirmed";
  return { ...combined, confidence: confidence + (price * ALONE_PPM) / PPM };
}

/**
 * Returns the middle of sources that do not agree, as uncertain as they are apart, for exits with real money alone; none
 * where they are further apart than an exit's limit.
 */
function roughly(
  combined: CombinedPrice | NoPrice,
  current: readonly Named[],
): CombinedPrice | undefined {
  const isApart =
    typeof combined === "string"
      ? combined === "apart"
      : !combined.isConfirmed && combined.sources.length < current.length;
  const prices = ascending(current.map(({ middle }) => middle));
  const [least = 0n, most = 0n] = [prices[0], prices.at(-1)];
  if (!isApart || !isNear(least, most, ROUGH_PPM)) return undefined;
  return { ...medianOf(current, false), price: (least + most) / 2n };
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
  /** The middle of each asset whose sources do not agree, for exits with real money alone. */
  readonly rough: Readonly<Record<string, PublishedPrice>>;
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
  /** Assets it is expected to price. */
  readonly assets: readonly string[];
  readonly newest: Map<string, Reading>;
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

function take(given: PriceReading, state: SourceState, nowMs: number): void {
  const { asset, bid, ask, standsMs = given.atMs === null ? STALE_MS : 0 } = given;
  const before = state.newest.get(asset);
  // A source that tells no time is as old as its last change
  const untimed = before?.bid === bid && before.ask === ask ? before.atMs : nowMs;
  const atMs = given.atMs ?? untimed;
  const isRepeated = before !== undefined && atMs <= before.atMs;
  const isStanding = standsMs > 0 && atMs === before?.atMs;
  if (!isPlausible(given)) state.fault = "unreadable";
  else if (atMs > nowMs + MAX_AHEAD_MS) state.fault = "ahead";
  else if (atMs < nowMs - Math.max(STALE_MS, standsMs) || (isRepeated && !isStanding)) {
    state.fault = "old";
  } else {
    state.fault = null;
    state.newest.set(asset, { bid, ask, atMs, goodAtMs: nowMs });
  }
}

/** Notes of which assets the newest price was published without the source. */
function noteOutside(
  name: string,
  state: SourceState,
  { prices, nowMs }: { readonly prices: PriceBulletin["prices"]; readonly nowMs: number },
): void {
  for (const asset of PRICED_ASSETS) {
    const price = prices[asset];
    if (price?.postedAtMs !== nowMs) continue;
    if (price.sources.includes(name) || !state.assets.includes(asset)) state.outside.delete(asset);
    else state.outside.add(asset);
  }
  if (state.outside.size === 0) state.apartSinceMs = null;
  else state.apartSinceMs ??= nowMs;
}

function troubleOf(state: SourceState, nowMs: number): SourceTrouble | null {
  const { assets, newest, startedAtMs, apartSinceMs } = state;
  const good = (asset: string) => newest.get(asset)?.goodAtMs ?? startedAtMs;
  const quiet = assets.filter((asset) => nowMs - good(asset) > QUIET_MS);
  if (quiet.length > 0) {
    const sinceMs = Math.min(...quiet.map(good));
    return { fault: state.fault ?? "old", sinceMs, assets: quiet };
  }
  return apartSinceMs === null
    ? null
    : { fault: "apart", sinceMs: apartSinceMs, assets: [...state.outside] };
}

const newState = (startedAtMs: number, lacks: readonly string[]): SourceState => ({
  startedAtMs,
  assets: PRICED_ASSETS.filter((asset) => !lacks.includes(asset)),
  newest: new Map(),
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

/** Returns what sources answered of an asset within the last seconds. */
const answeredOf = (
  states: ReadonlyMap<string, SourceState>,
  asset: string,
  nowMs: number,
): readonly Named[] =>
  [...states].flatMap(([source, { newest }]): Named[] => {
    const reading = newest.get(asset);
    if (reading === undefined || nowMs - reading.goodAtMs > ANSWERED_MS) return [];
    const { bid, ask, atMs } = reading;
    return [{ source, middle: middleOf(reading), halfSpread: (ask - bid + 1n) / 2n, atMs }];
  });

/** Creates the board of some sources. `last` is what was published earlier, for instance before a restart. */
export function createPriceBoard(
  named: readonly { readonly label: string; readonly lacks?: readonly string[] }[],
  clock: Clock,
  last?: Pick<PriceBulletin, "prices" | "spreads">,
): PriceBoard {
  const startedAtMs = clock.now();
  const states = new Map(
    named.map(({ label, lacks = [] }) => [label, newState(startedAtMs, lacks)]),
  );
  let { prices, spreads } = last ?? { prices: {}, spreads: {} };

  const holdJump = createJumpHold();

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
      const rough: Record<string, PublishedPrice> = {};
      for (const asset of PRICED_ASSETS) {
        const current = answeredOf(states, asset, nowMs);
        const combined = holdJump(asset, combineReadings(current, prices[asset]), {
          last: prices[asset]?.price,
          nowMs,
        });
        const middle = roughly(combined, current);
        if (middle !== undefined) rough[asset] = { ...middle, postedAtMs: nowMs };
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
      return { prices, missing, rough, spreads, sources };
    },
  };
}
