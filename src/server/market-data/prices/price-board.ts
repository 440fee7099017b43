import type { Clock } from "../../../domain/clock.ts";
import type { NoPrice, SourceFault } from "../../../domain/live-price.ts";
import { type CombinedPrice, combineReadings, isPlausible, STALE_MS } from "./combine-readings.ts";
import { PAPER_ASSETS, type PriceReading } from "./price-dialects.ts";

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

/** All that is published at one moment. */
export interface PriceBulletin {
  readonly prices: Readonly<Record<string, PublishedPrice>>;
  /** Why an asset has no new price; absent while it has one. */
  readonly missing: Readonly<Record<string, NoPrice>>;
  readonly sources: readonly { readonly name: string; readonly trouble: SourceTrouble | null }[];
}

/** Largest lead of a source's clock, in milliseconds. */
const MAX_AHEAD_MS = 5_000;

/** A source without a usable reading of an asset for this long is in trouble, in milliseconds. */
const QUIET_MS = 10_000;

interface SourceState {
  readonly newest: Map<string, PriceReading>;
  /** When the newest reading of each asset was received, by this server's clock. */
  readonly goodAtMs: Map<string, number>;
  fault: SourceFault | null;
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

/** Creates the board of some sources. `last` are prices published earlier, for instance before a restart. */
export function createPriceBoard(
  names: readonly string[],
  clock: Clock,
  last: PriceBulletin["prices"] = {},
): PriceBoard {
  const startedAtMs = clock.now();
  const states = new Map<string, SourceState>(
    names.map((name) => [
      name,
      { newest: new Map(), goodAtMs: new Map(), fault: null, apartSinceMs: null },
    ]),
  );
  let prices = last;

  const faultOf = (
    reading: PriceReading,
    state: SourceState,
    nowMs: number,
  ): SourceFault | null => {
    if (!isPlausible(reading)) return "unreadable";
    if (reading.atMs > nowMs + MAX_AHEAD_MS) return "ahead";
    const leastMs = state.newest.get(reading.asset)?.atMs ?? 0;
    return reading.atMs <= leastMs || reading.atMs < nowMs - STALE_MS ? "old" : null;
  };

  /** An asset that was not published at this moment says nothing about whether the source agrees. */
  const troubleOf = (
    name: string,
    state: SourceState,
    nowMs: number,
    next: PriceBulletin["prices"],
  ): SourceTrouble | null => {
    const good = (asset: string) => state.goodAtMs.get(asset) ?? startedAtMs;
    const quiet = PAPER_ASSETS.filter((asset) => nowMs - good(asset) > QUIET_MS);
    const outside = PAPER_ASSETS.filter((asset) => {
      const price = next[asset];
      return price?.postedAtMs === nowMs && !price.sources.includes(name);
    });
    if (quiet.length > 0) {
      const sinceMs = Math.min(...quiet.map(good));
      return { fault: state.fault ?? "old", sinceMs, assets: quiet };
    }
    if (outside.length === 0) {
      state.apartSinceMs = null;
      return null;
    }
    state.apartSinceMs ??= nowMs;
    return { fault: "apart", sinceMs: state.apartSinceMs, assets: outside };
  };

  const priceOf = (asset: string, nowMs: number): CombinedPrice | NoPrice => {
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
      const nowMs = clock.now();
      for (const reading of readings) {
        const fault = faultOf(reading, state, nowMs);
        if (fault !== null) {
          state.fault = fault;
          continue;
        }
        state.newest.set(reading.asset, reading);
        state.goodAtMs.set(reading.asset, nowMs);
        state.fault = null;
      }
    },
    fail(source, fault) {
      const state = states.get(source);
      if (state !== undefined) state.fault = fault;
    },
    publish() {
      const nowMs = clock.now();
      const next: Record<string, PublishedPrice> = { ...prices };
      const missing: Record<string, NoPrice> = {};
      for (const asset of PAPER_ASSETS) {
        const combined = priceOf(asset, nowMs);
        if (typeof combined === "string") {
          missing[asset] = combined;
          continue;
        }
        const known = next[asset];
        if (known !== undefined && combined.publishedAtMs <= known.publishedAtMs) continue;
        next[asset] = { ...combined, postedAtMs: nowMs };
      }
      prices = next;
      return {
        prices,
        missing,
        sources: [...states].map(([name, state]) => ({
          name,
          trouble: troubleOf(name, state, nowMs, prices),
        })),
      };
    },
  };
}
