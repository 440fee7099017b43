import type { Instruction } from "@solana/kit";
import type { Approved, OrderIntent } from "../../domain/order/order.ts";
import { setComputeUnitLimit, setComputeUnitPrice } from "../../solana/programs/compute-budget.ts";
import {
  OrderRefusedError,
  type OrderTransaction,
  type PricedOrder,
  type WantedProtective,
} from "../placed-order.ts";
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
import { isOurs, isTriggered, protectiveChange } from "./protective.ts";

/** Unit price of the trading key's orders in micro-lamports: 0.000001 SOL for 200,000 compute units. */
const ORDER_MICRO_LAMPORTS = 5_000n;

/** Largest compute units of a trading key's transaction without cancellations; 97,372 measured with one market. */
const BASE_COMPUTE_UNITS = 250_000;

/** Largest compute units of cancelling one order; 3,771 measured. */
const CANCEL_COMPUTE_UNITS = 6_000;

/** Largest compute units of placing or changing one protective order. */
const PROTECTIVE_COMPUTE_UNITS = 60_000;

/** Returns instructions with a fixed compute limit that they never exceed, for callers that cannot simulate. */
export function budgeted(
  instructions: readonly Instruction[],
  canceledOrders = 0,
  protectiveOrders = 0,
): readonly Instruction[] {
  return [
    setComputeUnitLimit(
      BASE_COMPUTE_UNITS +
        canceledOrders * CANCEL_COMPUTE_UNITS +
        protectiveOrders * PROTECTIVE_COMPUTE_UNITS,
    ),
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

const isFlatIn = ({ perpPositions }: DriftUser, marketIndex: number): boolean =>
  !perpPositions.some((each) => each.marketIndex === marketIndex && each.baseAssetAmount !== 0n);

/**
 * Returns the account's closing and protective orders with nothing to close. The exchange keeps them until a keeper
 * removes them, and each would close a position opened meanwhile.
 */
function findIdleClosings(user: DriftUser): readonly DriftOrder[] {
  return user.orders.filter(
    (order) =>
      order.status === ORDER_STATUS.open &&
      order.marketType === MARKET_TYPE.perp &&
      ((order.orderType === ORDER_TYPE.market && order.reduceOnly) || isOurs(order)) &&
      isFlatIn(user, order.marketIndex),
  );
}

/** What is cancelled before an order and placed after it. */
interface Around {
  readonly before: readonly Instruction[];
  readonly after: readonly Instruction[];
  readonly canceledOrders: number;
}

interface OrderedExchange {
  readonly reading: ExchangeReading;
  readonly user: DriftUser | null;
  readonly market: MarketReading;
  readonly markets: MarketAccounts;
}

/**
 * Returns what stands around an order. An exit cancels what is open, because an order that rests could reopen the closed
 * position, and leaves our protective orders, which only reduce and hold until it has filled. An entry cancels
 * exactly the orders it was built with that have nothing to close: what the owner places meanwhile is the owner's to keep.
 *
 * Throws `OrderRefusedError` for an entry while another order of the account is open that could trade.
 */
function around(
  instance: DriftInstance,
  account: VenueAccount,
  { reduceOnly }: Pick<OrderIntent, "reduceOnly">,
  exchange: OrderedExchange,
  protective: WantedProtective | undefined,
): Around {
  const { user, market, markets } = exchange;
  const [own, by] = [accountsOf(account), account.tradingKey];
  const open = (user?.orders ?? []).filter(({ status }) => status === ORDER_STATUS.open);
  // The exchange's own count, which decides where it differs
  const openOrders = user?.openOrders ?? 0;
  const change = (present: readonly DriftOrder[]) =>
    protective === undefined
      ? { cancels: [], instructions: [] }
      : protectiveChange(instance, account, protective, { present, market, markets });
  const cancel = (ids: readonly number[]) =>
    ids.length > 0 ? [cancelOrdersByIds(instance, own, by, ids, markets)] : [];
  const kept = open.filter(isOurs);
  if (reduceOnly && kept.length > 0) {
    const { cancels, instructions } = change(kept);
    const others = open.filter((order) => !kept.includes(order)).map(({ orderId }) => orderId);
    const ended = [...others, ...cancels];
    return { before: cancel(ended), after: instructions, canceledOrders: ended.length };
  }
  if (reduceOnly) {
    return {
      before: openOrders > 0 ? [cancelOrders(instance, own, by, markets)] : [],
      after: change([]).instructions,
      canceledOrders: openOrders,
    };
  }
  const idle = user === null ? [] : findIdleClosings(user);
  const resting = open.filter((order) => !idle.includes(order));
  const isAlive = (order: DriftOrder) => !isOurs(order) || isTriggered(order);
  if (openOrders > open.length || resting.some(isAlive)) {
    throw new OrderRefusedError("order_alive");
  }
  const { cancels, instructions } = change(resting);
  const ended = [...idle.map(({ orderId }) => orderId), ...cancels];
  return { before: cancel(ended), after: instructions, canceledOrders: ended.length };
}

/**
 * Returns the trading key's order, together with what is cancelled before it and with the protective orders wanted.
 *
 * Throws `OrderRefusedError` for a size the market does not accept, and for an entry while another order of the account
 * is open that could trade.
 */
export function buildOrderFrom(
  instance: DriftInstance,
  account: VenueAccount,
  order: Approved<OrderIntent>,
  exchange: OrderedExchange,
  nowMs: number,
  protective?: WantedProtective,
): PricedOrder {
  const { reading, market, markets } = exchange;
  const { before, after, canceledOrders } = around(instance, account, order, exchange, protective);
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
  const { orderTickSize } = market.market.amm;
  return {
    instructions: budgeted([...before, ordering, ...after], canceledOrders, after.length),
    worstPrice: limitPrice(order.side, order.referencePrice, order.slippageBps, orderTickSize),
    baseSize,
    ...(protective !== undefined && { carriesProtective: true }),
  };
}

/** Returns what makes a market's protective orders the wanted ones, or null when they are. */
export function buildProtectiveFrom(
  instance: DriftInstance,
  account: VenueAccount,
  wanted: WantedProtective,
  { user, market, markets }: OrderedExchange,
): OrderTransaction | null {
  const present = user?.orders ?? [];
  const change = protectiveChange(instance, account, wanted, { present, market, markets });
  const { cancels, instructions } = change;
  if (cancels.length + instructions.length === 0) return null;
  const [own, by] = [accountsOf(account), account.tradingKey];
  const canceling =
    cancels.length > 0 ? [cancelOrdersByIds(instance, own, by, cancels, markets)] : [];
  return {
    instructions: budgeted([...canceling, ...instructions], cancels.length, instructions.length),
  };
}
