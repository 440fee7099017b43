import type { Address } from "@solana/kit";
import { lazerPriceLayout, priceUpdateLayout } from "../../../venues/drift/layout-oracle.ts";
import type { DriftPerpMarket } from "../../../venues/drift/layout-perp-market.ts";
import { perpMarketLayout } from "../../../venues/drift/layout-perp-market.ts";
import type { DriftSpotMarket } from "../../../venues/drift/layout-spot-market.ts";
import { ORACLE_SOURCE, spotMarketLayout } from "../../../venues/drift/layout-spot-market.ts";
import { EXCHANGE_STATUS, stateLayout } from "../../../venues/drift/layout-state.ts";
import type { DriftUserStats } from "../../../venues/drift/layout-user-stats.ts";
import { userStatsLayout } from "../../../venues/drift/layout-user-stats.ts";
import type { DriftUser } from "../../../venues/drift/layout-user.ts";
import { userLayout } from "../../../venues/drift/layout-user.ts";
import { readMarketPrice } from "../../../venues/drift/oracle-price.ts";
import { decodeOnce } from "../../runtime/decode-once.ts";
import type { InstructionContext } from "../../runtime/program.ts";
import type { Loaded } from "../anchor.ts";
import { constraintFailure, loadAt, loadMappedAt } from "../anchor.ts";
import { ensure, exchangeFailure } from "./exchange-failures.ts";

/** Seconds after which a price no longer supports trades. */
const STALE_PRICE_SECONDS = 60n;

export interface OraclePrice {
  /** Quote units with six decimals per whole asset. */
  readonly price: bigint;
  readonly isFresh: boolean;
}

/** Returns the kind of price an account holds; undefined when it holds none. */
function sourceOf(data: Uint8Array): number | undefined {
  if (priceUpdateLayout.matches(data)) return ORACLE_SOURCE.pythPull;
  return lazerPriceLayout.matches(data) ? ORACLE_SOURCE.pythLazer : undefined;
}

/** The markets and prices an instruction was shown behind its own accounts. */
export interface ShownMarkets {
  perp(marketIndex: number): Loaded<DriftPerpMarket>;
  spot(marketIndex: number): Loaded<DriftSpotMarket>;
  price(market: DriftPerpMarket): OraclePrice;
}

/** Reads the markets and oracles from the accounts at `first` and after. */
export function loadMarkets(context: InstructionContext, first: number): ShownMarkets {
  const perps = new Map<number, Loaded<DriftPerpMarket>>();
  const spots = new Map<number, Loaded<DriftSpotMarket>>();
  const prices = new Map<Address, OraclePrice>();
  for (const { address } of context.accounts.slice(first)) {
    const { data, owner } = context.read(address);
    const source = sourceOf(data);
    if (source !== undefined) {
      const { price, publishedAtMs } = readMarketPrice(data, source);
      const age = context.time.unixTime - BigInt(Math.floor(publishedAtMs / 1_000));
      prices.set(address, { price, isFresh: age <= STALE_PRICE_SECONDS });
    } else if (owner === context.programId && perpMarketLayout.matches(data)) {
      const value = decodeOnce(perpMarketLayout, data);
      perps.set(value.marketIndex, { address, value });
    } else if (owner === context.programId && spotMarketLayout.matches(data)) {
      const value = decodeOnce(spotMarketLayout, data);
      spots.set(value.marketIndex, { address, value });
    }
  }
  return {
    perp(marketIndex) {
      const found = perps.get(marketIndex);
      if (found === undefined) throw exchangeFailure(context, "PerpMarketNotFound");
      return found;
    },
    spot(marketIndex) {
      const found = spots.get(marketIndex);
      if (found === undefined) throw exchangeFailure(context, "SpotMarketNotFound");
      return found;
    },
    price(market) {
      const found = prices.get(market.amm.oracle);
      if (found === undefined) throw exchangeFailure(context, "OracleNotFound");
      return found;
    },
  };
}

/** Fails with `ExchangePaused` when all of the exchange, or the named part of it, is paused. */
export function requireRunning(
  context: InstructionContext,
  part?: keyof typeof EXCHANGE_STATUS,
): void {
  const { exchangeStatus } = loadAt(context, 0, "state", stateLayout).value;
  const bit = part === undefined ? 0 : EXCHANGE_STATUS[part];
  const isPaused = exchangeStatus === EXCHANGE_STATUS.all || (exchangeStatus & bit) !== 0;
  ensure(context, !isPaused, "ExchangePaused");
}

export function loadUser(context: InstructionContext, index: number): Loaded<DriftUser> {
  return loadMappedAt(context, index, "user", userLayout);
}

export function loadStats(context: InstructionContext, index: number): Loaded<DriftUserStats> {
  return loadMappedAt(context, index, "user_stats", userStatsLayout);
}

/** Fails with `ConstraintHasOne` unless the key owns the user: what the delegate runs into. */
export function requireAuthority(
  context: InstructionContext,
  user: DriftUser,
  authority: Address,
): void {
  if (user.authority !== authority) throw constraintFailure(context, "ConstraintHasOne", "user");
}

/** Fails with `ConstraintRaw` unless the key owns the user or trades for it. */
export function requireTrader(
  context: InstructionContext,
  user: DriftUser,
  key: Address,
  name = "user",
): void {
  if (user.authority !== key && user.delegate !== key) {
    throw constraintFailure(context, "ConstraintRaw", name);
  }
}

/** Fails with `ConstraintRaw` unless the statistics are the user's. */
export function requireStatsOf(
  context: InstructionContext,
  stats: DriftUserStats,
  user: DriftUser,
  name = "user_stats",
): void {
  if (stats.authority !== user.authority) {
    throw constraintFailure(context, "ConstraintRaw", name);
  }
}
