import {
  type AccountMeta,
  type Address,
  type ReadonlyUint8Array,
  isSignerRole,
  isWritableRole,
} from "@solana/kit";
import type { Clock } from "../../domain/clock.ts";
import { sameBytes } from "../../solana/encoding/instruction.ts";
import type { OrderAllowList } from "../order-signing.ts";
import type { VenueAccount } from "../venue.ts";
import { MARKET_TYPE, type OrderParams, driftArguments } from "./instruction-arguments.ts";
import { ORDER_LIFE_SECONDS } from "./order-form.ts";
import {
  type OrderAuction,
  type OrderTerms,
  auctionOrderParams,
  soundAuction,
  takeOrderParams,
  termsOf,
} from "./order-params.ts";
import {
  derivePerpMarket,
  deriveSpotMarket,
  deriveSpotMarketVault,
  deriveState,
  deriveUserStats,
  userAddressOf,
} from "./pdas.ts";
import type { DriftInstance } from "./instance.ts";
import { readProtective } from "./protective.ts";
import { readExactly } from "./read-exactly.ts";

/** Accounts an allowed instruction must name first, in order, and its perpetual market. */
interface Shape {
  readonly fixed: readonly Address[];
  readonly refusal: string | null;
}

/** Returns the auction of an order that expires within the time ours get; null for any other. */
function shortAuction(params: OrderParams, nowMs: number): OrderAuction | null {
  const auction = soundAuction(params);
  const life = (auction?.maxTs ?? 0n) - BigInt(Math.floor(nowMs / 1_000));
  return life <= 0n || life > ORDER_LIFE_SECONDS ? null : auction;
}

const refuseTerms = (
  traded: ReadonlySet<number>,
  { marketIndex, baseSize, price }: OrderTerms,
): string | null => {
  if (!traded.has(marketIndex)) return "the market is not traded here";
  if (baseSize <= 0n) return "the order has no size";
  return price <= 0n ? "the order takes any price" : null;
};

const refuseProtective = (
  traded: ReadonlySet<number>,
  { terms, trigger, isExact }: NonNullable<ReturnType<typeof readProtective>>,
): string | null => {
  if (!terms.reduceOnly) return "the order that rests does not only reduce";
  const refusal = "the order does more than rest until a price is reached";
  return refuseTerms(traded, terms) ?? (isExact && trigger.triggerPrice > 0n ? null : refusal);
};

/**
 * Returns the allow-list of a trading key's instructions on Drift, for exactly the account's own user: orders that fill at
 * once within a price or not at all, orders with an auction that expire within a minute, reducing orders of our own that
 * rest until a price is reached, filling without a reward, cancelling, settling.
 *
 * Further accounts may only be the markets this product trades, or read-only, so that no maker of the caller's choice
 * can be on the other side of an order.
 */
export function createDriftAllowList(instance: DriftInstance, clock: Clock): OrderAllowList {
  const marketIndexes = new Set(Object.values(instance.perpMarketIndexes));
  const state = deriveState(instance);
  const quoteVault = deriveSpotMarketVault(instance, instance.quoteSpotMarketIndex);
  const markets = new Set<Address>([
    deriveSpotMarket(instance, instance.quoteSpotMarketIndex),
    ...[...marketIndexes].map((index) => derivePerpMarket(instance, index)),
  ]);

  const refuseParams = (params: OrderParams): string | null =>
    params.marketType === MARKET_TYPE.perp
      ? refuseTerms(marketIndexes, termsOf(params))
      : "the order is not for a perpetual";

  const refuseTaking = (params: OrderParams, data: ReadonlyUint8Array): string | null => {
    const ours = driftArguments.placeAndTakePerpOrder.encode({
      params: takeOrderParams(termsOf(params)),
      successCondition: null,
    });
    const refusal = "the order does more than fill at once within its price";
    return refuseParams(params) ?? (sameBytes(ours, data) ? null : refusal);
  };

  const refuseWaiting = (params: OrderParams, data: ReadonlyUint8Array): string | null => {
    const auction = shortAuction(params, clock.now());
    if (auction === null) return "the order has no short auction within its price";
    const ours = driftArguments.placePerpOrder.encode(auctionOrderParams(termsOf(params), auction));
    const refusal = "the order does more than wait out its auction";
    return refuseParams(params) ?? (sameBytes(ours, data) ? null : refusal);
  };

  const shapeOf = (account: VenueAccount, data: ReadonlyUint8Array): Shape | null => {
    const user = userAddressOf(instance, account);
    const plain = [state, user, account.tradingKey];
    const stats = deriveUserStats(instance, account.vault);
    const taken = readExactly(driftArguments.placeAndTakePerpOrder, data);
    if (taken !== null) {
      return {
        fixed: [state, user, stats, account.tradingKey],
        refusal: refuseTaking(taken.params, data),
      };
    }
    const protective = readProtective(data);
    if (protective !== null)
      return { fixed: plain, refusal: refuseProtective(marketIndexes, protective) };
    const placed = readExactly(driftArguments.placePerpOrder, data);
    if (placed !== null) return { fixed: plain, refusal: refuseWaiting(placed, data) };
    const filled = readExactly(driftArguments.fillPerpOrder, data);
    if (filled !== null) {
      const isNamed = filled.orderId !== null && filled.makerOrderId === null;
      return {
        fixed: [state, account.tradingKey, user, stats, user, stats],
        refusal: isNamed ? null : "it does not name the order it fills",
      };
    }
    const canceled =
      readExactly(driftArguments.cancelOrders, data) ??
      readExactly(driftArguments.cancelOrdersByIds, data);
    if (canceled !== null) return { fixed: plain, refusal: null };
    const settled = readExactly(driftArguments.settlePnl, data);
    if (settled !== null) {
      const isKnown = marketIndexes.has(settled.marketIndex);
      return {
        fixed: [...plain, quoteVault],
        refusal: isKnown ? null : "the market is not traded here",
      };
    }
    return null;
  };

  const refuseRemaining = (account: VenueAccount, meta: AccountMeta): string | null => {
    if (markets.has(meta.address)) return null;
    if (isSignerRole(meta.role)) return "a further account signs";
    if (isWritableRole(meta.role)) return "an account is writable that is no market";
    return meta.address === account.vault || meta.address === account.owner
      ? "it names the owner's own keys"
      : null;
  };

  return (account, { programAddress, accounts, data }) => {
    if (programAddress !== instance.programId) return "the program is not the exchange";
    const shape = shapeOf(account, data);
    if (shape === null) return "it is no order, fill, cancellation or settlement";
    if (shape.refusal !== null) return shape.refusal;
    if (shape.fixed.some((expected, at) => accounts[at]?.address !== expected)) {
      return "it acts on accounts that are not the agent's";
    }
    for (const meta of accounts.slice(shape.fixed.length)) {
      const refusal = refuseRemaining(account, meta);
      if (refusal !== null) return refusal;
    }
    return null;
  };
}
