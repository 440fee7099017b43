import type { Address } from "@solana/kit";
import { SYSTEM_PROGRAM } from "../../../solana/programs/system.ts";
import { lazerPriceLayout } from "../../../venues/drift/layout-oracle.ts";
import { priceUpdateLayout } from "../../../solana/programs/pyth-receiver.ts";
import type { DriftPerpMarket } from "../../../venues/drift/layout-perp-market.ts";
import { perpMarketLayout } from "../../../venues/drift/layout-perp-market.ts";
import type { DriftSpotMarket } from "../../../venues/drift/layout-spot-market.ts";
import { spotMarketLayout } from "../../../venues/drift/layout-spot-market.ts";
import type { DriftState } from "../../../venues/drift/layout-state.ts";
import { decodeOnce } from "../../runtime/bytes.ts";
import { InstructionFailure } from "../../runtime/instruction-failure.ts";
import type { InstructionContext } from "../../runtime/program.ts";
import { store } from "../anchor.ts";
import { PRICE_PRECISION } from "./curve.ts";
import { ORACLE_RECEIVER } from "./drift-genesis.ts";
import { demand, type ExchangeError, ExchangeRefusal } from "./exchange-failures.ts";
import { max, min } from "./integers.ts";
import { judgeOracle, type OracleReading, type OracleValidity } from "./oracle-validity.ts";

/** Price of a deposit: the present one, and those used for assets and for liabilities. */
export interface SpotPrice {
  readonly current: bigint;
  readonly least: bigint;
  readonly most: bigint;
}

/** The price of the quote asset, which needs no oracle. */
const ONE_DOLLAR: OracleReading = { price: PRICE_PRECISION, confidence: 1n, delay: 0n };

/**
 * The oracles, spot markets and perpetual markets given after an instruction's own accounts, in that order.
 *
 * A perpetual market is one draft per instruction: every reader sees earlier changes, and `write` stores it.
 */
export interface ExchangeMaps {
  /** Index of the first account after the maps. */
  readonly end: number;
  /** Returns a perpetual market. Refuses with `PerpMarketNotFound`. */
  perp(marketIndex: number): DriftPerpMarket;
  /** Returns a perpetual market that may be changed. Refuses with `UnableToLoadPerpMarketAccount` where it is read-only. */
  perpToChange(marketIndex: number): DriftPerpMarket;
  /** Returns a spot market. Refuses with `SpotMarketNotFound`. */
  spot(marketIndex: number): DriftSpotMarket;
  /** Returns an oracle's price. Refuses with `OracleNotFound`. */
  oracle(address: Address): OracleReading;
  /** Returns a spot market's price; `isStrict` widens it by its five-minute average. */
  spotPrice(market: DriftSpotMarket, isStrict: boolean): SpotPrice;
  /** Returns the validity of a perpetual market's price, evaluated once per instruction. */
  validity(market: DriftPerpMarket): OracleValidity;
  write(marketIndex: number): void;
}

function readOracle(data: Uint8Array, slot: bigint): OracleReading {
  const isLazer = lazerPriceLayout.matches(data);
  if (!isLazer && !priceUpdateLayout.matches(data)) {
    throw new InstructionFailure("ProgramFailedToComplete");
  }
  const update = isLazer ? decodeOnce(lazerPriceLayout, data) : decodeOnce(priceUpdateLayout, data);
  const precision = 10n ** BigInt(Math.abs(update.exponent));
  demand(precision > 1n, "InvalidOracle");
  const isFine = precision > PRICE_PRECISION;
  const factor = isFine ? precision / PRICE_PRECISION : PRICE_PRECISION / precision;
  const scaled = (value: bigint) => (isFine ? value / factor : value * factor);
  return {
    price: scaled(update.price),
    confidence: scaled(update.conf),
    delay: slot - update.postedSlot,
  };
}

/** Returns a mutable copy of a market. */
function draftOf(market: DriftPerpMarket): DriftPerpMarket {
  const { amm } = market;
  return {
    ...market,
    amm: { ...amm, historicalOracleData: { ...amm.historicalOracleData } },
    insuranceClaim: { ...market.insuranceClaim },
  };
}

interface ShownPerp {
  readonly address: Address;
  readonly isWritable: boolean;
  draft: DriftPerpMarket;
}

interface ShownAccounts {
  readonly oracles: ReadonlyMap<Address, Uint8Array>;
  readonly spots: ReadonlyMap<number, DriftSpotMarket>;
  readonly perps: ReadonlyMap<number, ShownPerp>;
  readonly end: number;
}

/** How an instruction uses the accounts after its own. */
interface MapsUse {
  /** Perpetual market that must be present and writable. */
  readonly perp?: number;
  /** Spot market that must be writable; whoever reads it refuses where it is missing. */
  readonly spot?: number;
  /** The user's account where the program has already loaded it; it must not be given again. */
  readonly held?: Address;
}

function readShown(context: InstructionContext, first: number, use: MapsUse): ShownAccounts {
  const oracles = new Map<Address, Uint8Array>();
  const spots = new Map<number, DriftSpotMarket>();
  const perps = new Map<number, ShownPerp>();
  let at = first;
  const peek = (held: ExchangeError) => {
    const meta = context.accounts[at];
    if (meta === undefined) return undefined;
    demand(meta.address !== use.held, held);
    const { owner, data } = context.read(meta.address);
    return { ...meta, owner, data };
  };
  const oracle = () => peek("UnableToLoadOracle");
  for (let next = oracle(); next !== undefined; next = oracle()) {
    const isOwnOracle = next.owner === context.programId && lazerPriceLayout.matches(next.data);
    if (next.owner !== ORACLE_RECEIVER && !isOwnOracle) break;
    oracles.set(next.address, next.data);
    at += 1;
  }
  const spot = () => peek("CouldNotLoadSpotMarketData");
  for (let next = spot(); next !== undefined; next = spot()) {
    if (next.data.length < spotMarketLayout.size || !spotMarketLayout.matches(next.data)) break;
    const market = decodeOnce(spotMarketLayout, next.data);
    demand(!spots.has(market.marketIndex), "InvalidSpotMarketAccount");
    const mayChange = next.isWritable || market.marketIndex !== use.spot;
    demand(mayChange, "SpotMarketWrongMutability");
    demand(next.owner === context.programId, "InvalidSpotMarketAccount");
    spots.set(market.marketIndex, market);
    at += 1;
  }
  const perp = () => peek("CouldNotLoadMarketData");
  for (let next = perp(); next !== undefined; next = perp()) {
    if (next.data.length < perpMarketLayout.size || !perpMarketLayout.matches(next.data)) break;
    const draft = draftOf(decodeOnce(perpMarketLayout, next.data));
    demand(!perps.has(draft.marketIndex), "InvalidMarketAccount");
    const mayChange = next.isWritable || draft.marketIndex !== use.perp;
    demand(mayChange, "MarketWrongMutability");
    demand(next.owner === context.programId, "InvalidMarketAccount");
    perps.set(draft.marketIndex, { address: next.address, isWritable: next.isWritable, draft });
    at += 1;
  }
  return { oracles, spots, perps, end: at };
}

/** Returns the maps with one spot market replaced by the instruction's version. */
export const withSpot = (maps: ExchangeMaps, market: DriftSpotMarket): ExchangeMaps => ({
  ...maps,
  spot: (index) => (index === market.marketIndex ? market : maps.spot(index)),
});

/** Reads the accounts from index `first` on. */
export function loadMaps(
  context: InstructionContext,
  state: DriftState,
  first: number,
  use: MapsUse = {},
): ExchangeMaps {
  const shown = readShown(context, first, use);
  const readings = new Map<Address, OracleReading>();
  const judged = new Map<Address, OracleValidity>();
  const maps: ExchangeMaps = {
    end: shown.end,
    perp(marketIndex) {
      const found = shown.perps.get(marketIndex);
      if (found === undefined) throw new ExchangeRefusal("PerpMarketNotFound");
      return found.draft;
    },
    perpToChange(marketIndex) {
      const market = maps.perp(marketIndex);
      const isWritable = shown.perps.get(marketIndex)?.isWritable === true;
      demand(isWritable, "UnableToLoadPerpMarketAccount");
      return market;
    },
    spot(marketIndex) {
      const found = shown.spots.get(marketIndex);
      if (found === undefined) throw new ExchangeRefusal("SpotMarketNotFound");
      return found;
    },
    oracle(address) {
      if (address === SYSTEM_PROGRAM) return ONE_DOLLAR;
      const known = readings.get(address);
      if (known !== undefined) return known;
      const data = shown.oracles.get(address);
      if (data === undefined) throw new ExchangeRefusal("OracleNotFound");
      const reading = readOracle(data, context.time.slot);
      readings.set(address, reading);
      return reading;
    },
    spotPrice(market, isStrict) {
      const { price: current } = maps.oracle(market.oracle);
      const average = isStrict ? market.historicalOracleData.lastOraclePriceTwap5min : current;
      return { current, least: min(current, average), most: max(current, average) };
    },
    validity(market) {
      const { oracle, historicalOracleData } = market.amm;
      const known = judged.get(oracle);
      if (known !== undefined) return known;
      const average = historicalOracleData.lastOraclePriceTwap;
      const reading = maps.oracle(oracle);
      const validity = judgeOracle(state, reading, average, market.contractTier);
      judged.set(oracle, validity);
      return validity;
    },
    write(marketIndex) {
      const found = shown.perps.get(marketIndex);
      if (found !== undefined) store(context, found.address, perpMarketLayout, found.draft);
    },
  };
  if (use.perp !== undefined) maps.perp(use.perp);
  return maps;
}
