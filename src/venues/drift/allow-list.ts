import {
  type AccountMeta,
  type Address,
  isSignerRole,
  isWritableRole,
  type ReadonlyUint8Array,
} from "@solana/kit";
import type { OrderAllowList, VenueAccount } from "../venue.ts";
import {
  DIRECTION,
  driftArguments,
  MARKET_TYPE,
  type OrderParams,
} from "./instruction-arguments.ts";
import { marketOrderParams } from "./order-params.ts";
import {
  derivePerpMarket,
  deriveSpotMarket,
  deriveSpotMarketVault,
  deriveState,
  deriveUser,
  deriveUserStats,
} from "./pdas.ts";
import type { DriftProfile } from "./profile.ts";

interface Codec<T> {
  decode(bytes: ReadonlyUint8Array): T;
  encode(value: NoInfer<T>): ReadonlyUint8Array;
}

// Bytes that do not read back to themselves hide something behind the arguments
function readExactly<T>(codec: Codec<T>, data: ReadonlyUint8Array): T | null {
  try {
    const value = codec.decode(data);
    const written = codec.encode(value);
    const isSame = written.length === data.length && written.every((byte, at) => byte === data[at]);
    return isSame ? value : null;
  } catch {
    return null;
  }
}

/** What an allowed instruction must name first, in order, and the perpetual market it acts on. */
interface Shape {
  readonly fixed: readonly Address[];
  readonly refusal: string | null;
}

/**
 * Makes the list of what a delegate signs on Drift: orders that fill at once within a price or not at all, cancelling,
 * settling, on exactly the account's own user. No order of its own ever rests in the market.
 *
 * Other accounts may only be the markets this product trades; what else is shown is read-only, so no maker of the
 * caller's choice can be on the other side of an order.
 */
export function createDriftAllowList(profile: DriftProfile): OrderAllowList {
  const marketIndexes = new Set(Object.values(profile.perpMarketIndexes));
  const state = deriveState(profile);
  const quoteVault = deriveSpotMarketVault(profile, profile.quoteSpotMarketIndex);
  const markets = new Set<Address>([
    deriveSpotMarket(profile, profile.quoteSpotMarketIndex),
    ...[...marketIndexes].map((index) => derivePerpMarket(profile, index)),
  ]);

  const refuseOrder = (params: OrderParams, data: ReadonlyUint8Array): string | null => {
    const { marketType, marketIndex, baseAssetAmount, price, direction, reduceOnly } = params;
    if (marketType !== MARKET_TYPE.perp) return "the order is not for a perpetual";
    if (!marketIndexes.has(marketIndex)) return "the market is not traded here";
    if (baseAssetAmount <= 0n) return "the order has no size";
    if (price <= 0n) return "the order takes any price";
    const side = direction === DIRECTION.long ? "long" : "short";
    const ours = driftArguments.placeAndTakePerpOrder.encode({
      params: marketOrderParams({
        marketIndex,
        side,
        baseSize: baseAssetAmount,
        price,
        reduceOnly,
      }),
      successCondition: null,
    });
    const isSame = ours.length === data.length && ours.every((byte, at) => byte === data[at]);
    return isSame ? null : "the order does more than fill at once within its price";
  };

  const shapeOf = (account: VenueAccount, data: ReadonlyUint8Array): Shape | null => {
    const user = deriveUser(profile, account.vault, account.subAccountId);
    const plain = [state, user, account.delegate];
    const taken = readExactly(driftArguments.placeAndTakePerpOrder, data);
    if (taken !== null) {
      const stats = deriveUserStats(profile, account.vault);
      return {
        fixed: [state, user, stats, account.delegate],
        refusal: refuseOrder(taken.params, data),
      };
    }
    if (readExactly(driftArguments.cancelOrders, data) !== null) {
      return { fixed: plain, refusal: null };
    }
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
    if (programAddress !== profile.programId) return "the program is not the exchange";
    const shape = shapeOf(account, data);
    if (shape === null) return "it is no order, cancellation or settlement";
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
