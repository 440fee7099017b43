import type { Instruction } from "@solana/kit";
import type { Approved, OrderIntent } from "../../domain/order/order.ts";
import { setComputeUnitLimit, setComputeUnitPrice } from "../../solana/programs/compute-budget.ts";
import { OrderRefusedError, type PricedOrder, type VenueAccount } from "../venue.ts";
import type { ExchangeReading, MarketReading } from "./exchange-reader.ts";
import { cancelOrders, type MarketAccounts } from "./instructions.ts";
import type { DriftUser } from "./layout-user.ts";
import { orderInstruction } from "./order-form.ts";
import { limitPrice } from "./order-params.ts";
import type { DriftInstance } from "./instance.ts";

/** Priority fee of the delegate's orders: 0.000001 SOL for 200,000 compute units. */
const ORDER_MICRO_LAMPORTS = 5_000n;

/** Most compute units a delegate's transaction takes beside the orders it cancels; 97,372 measured with one market. */
const BASE_COMPUTE_UNITS = 250_000;

/** Most compute units cancelling one order takes; 3,771 measured. */
const CANCEL_COMPUTE_UNITS = 6_000;

/** Returns instructions under the compute limit they never exceed, for whoever cannot simulate them first. */
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

/** Base units the market takes of what was asked, or why it takes nothing. The step is rounded down to. */
function orderableSize(
  { market }: MarketReading,
  { baseSize, reduceOnly }: Pick<OrderIntent, "baseSize" | "reduceOnly">,
): bigint {
  const { orderStepSize, minOrderSize } = market.amm;
  const size = orderStepSize > 0n ? baseSize - (baseSize % orderStepSize) : baseSize;
  // A position of any size may be closed
  if (size === 0n || (!reduceOnly && size < minOrderSize)) {
    throw new OrderRefusedError("below_minimum", `${size} of at least ${minOrderSize}`);
  }
  return size;
}

/**
 * Returns the delegate's order.
 *
 * Throws `OrderRefusedError` for one the market is too coarse for, and for an entry while another order of the account is
 * alive. A closing order cancels those: nobody's resting order may open again what is being closed.
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
  if (openOrders > 0 && !order.reduceOnly) throw new OrderRefusedError("order_alive");
  const user = { authority: account.vault, subAccountId: account.subAccountId };
  const by = account.delegate;
  const { state } = reading;
  const baseSize = orderableSize(market, order);
  const ordering = orderInstruction({ instance, user, by, state, markets, nowMs }, market, {
    side: order.side,
    baseSize,
    referencePrice: order.referencePrice,
    slippageBps: order.slippageBps,
    reduceOnly: order.reduceOnly,
  });
  const canceling = openOrders > 0 ? [cancelOrders(instance, user, by, markets)] : [];
  const { orderTickSize } = market.market.amm;
  return {
    instructions: budgeted([...canceling, ordering], openOrders),
    worstPrice: limitPrice(order.side, order.referencePrice, order.slippageBps, orderTickSize),
    baseSize,
  };
}
