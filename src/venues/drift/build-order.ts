import type { Instruction } from "@solana/kit";
import type { Approved, OrderIntent } from "../../domain/order/order.ts";
import { setComputeUnitLimit, setComputeUnitPrice } from "../../solana/programs/compute-budget.ts";
import { OrderRefusedError, type PricedOrder } from "../placed-order.ts";
import type { VenueAccount } from "../venue.ts";
import type { ExchangeReading, MarketReading } from "./exchange-reader.ts";
import { MARKET_TYPE, ORDER_TYPE } from "./instruction-arguments.ts";
import {
  accountsOf,
  type MarketAccounts,
  cancelOrders,
  cancelOrdersByIds,
} from "./instructions.ts";
import { type DriftOrder, type DriftUser, ORDER_STATUS } from "./layout-user.ts";
import { orderInstruction } from "./order-form.ts";
import { limitPrice } from "./order-params.ts";
import type { DriftInstance } from "./instance.ts";

/** Unit price of the trading key's orders in micro-lamports: 0.000001 SOL for 200,000 compute units. */
const ORDER_MICRO_LAMPORTS = 5_000n;

/** Largest compute units of a trading key's transaction without cancellations; 97,372 measured with one market. */
const BASE_COMPUTE_UNITS = 250_000;

/** Largest compute units of cancelling one order; 3,771 measured. */
const CANCEL_COMPUTE_UNITS = 6_000;

/** Returns instructions with a fixed compute limit that they never exceed, for callers that cannot simulate. */
export function budgeted(
  instructions: readonly Instruction[],
  canceledOrders = 0,
): readonly Instruction[] {
  return [
    setComputeUnitLimit(BASE_COMPUTE_UNITS + canceledOrders * CANCEL_COMPUTE_UNITS),
    setComputeUnitPrice(ORDER_MICRO_LAMPORTS),
    ...instructions,
  ];
}

/** Returns the requested base units rounded down to the market's step, or why the market does not accept them. */
function orderableSize(
  { market }: MarketReading,
  { baseSize, reduceOnly }: Pick<OrderIntent, "baseSize" | "reduceOnly">,
): bigint {
  const { orderStepSize, minOrderSize } = market.amm;
  const size = orderStepSize > 0n ? baseSize - (baseSize % orderStepSize) : baseSize;
  // A closing has no minimum size
  if (size === 0n || (!reduceOnly && size < minOrderSize)) {
    throw new OrderRefusedError("below_minimum", `${size} of at least ${minOrderSize}`);
  }
  return size;
}

/**
 * Returns the account's closing orders with nothing to close. The exchange keeps them until a keeper removes them, and
 * each would close a position opened meanwhile.
 */
function findIdleClosings({ orders, perpPositions }: DriftUser): readonly DriftOrder[] {
  return orders.filter(
    (order) =>
      order.status === ORDER_STATUS.open &&
      order.marketType === MARKET_TYPE.perp &&
      order.orderType === ORDER_TYPE.market &&
      order.reduceOnly &&
      !perpPositions.some(
        (position) => position.marketIndex === order.marketIndex && position.baseAssetAmount !== 0n,
      ),
  );
}

/**
 * Returns the trading key's order.
 *
 * Throws `OrderRefusedError` for a size the market does not accept, and for an entry while another order of the account
 * is open that could trade. An exit cancels every open order, because one that rests could reopen the closed position.
 * An entry cancels exactly the closings it was built with: what the owner places meanwhile is the owner's to keep.
 */
export function buildOrderFrom(
  instance: DriftInstance,
  account: VenueAccount,
  order: Approved<OrderIntent>,
  exchange: {
    readonly reading: ExchangeReading;
    readonly user: DriftUser | null;
    readonly market: MarketReading;
    readonly markets: MarketAccounts;
  },
  nowMs: number,
): PricedOrder {
  const { reading, market, markets } = exchange;
  const openOrders = exchange.user?.openOrders ?? 0;
  const idle = exchange.user === null ? [] : findIdleClosings(exchange.user);
  if (!order.reduceOnly && idle.length !== openOrders) throw new OrderRefusedError("order_alive");
  const user = accountsOf(account);
  const by = account.tradingKey;
  const { state } = reading;
  const baseSize = orderableSize(market, order);
  const ordering = orderInstruction({ instance, user, by, state, markets, nowMs }, market, {
    side: order.side,
    baseSize,
    referencePrice: order.referencePrice,
    slippageBps: order.slippageBps,
    reduceOnly: order.reduceOnly,
  });
  const cancelation = order.reduceOnly
    ? cancelOrders(instance, user, by, markets)
    : cancelOrdersByIds(
        instance,
        user,
        by,
        idle.map(({ orderId }) => orderId),
        markets,
      );
  const canceling = openOrders > 0 ? [cancelation] : [];
  const { orderTickSize } = market.market.amm;
  return {
    instructions: budgeted([...canceling, ordering], openOrders),
    worstPrice: limitPrice(order.side, order.referencePrice, order.slippageBps, orderTickSize),
    baseSize,
  };
}
