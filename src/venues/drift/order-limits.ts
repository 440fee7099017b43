import { type Address, type Instruction, isWritableRole } from "@solana/kit";
import { mulDiv } from "../../domain/amount.ts";
import type { Clock } from "../../domain/clock.ts";
import { notionalOf } from "../../domain/order/order-intent.ts";
import {
  type AccountReading,
  smallerOf,
  toOrder,
  toProtectiveOrder,
  toReading,
} from "../../domain/order/signing-budget.ts";
import {
  refuseAnyEntry,
  refusePrice,
  refuseProtective,
  refuseSize,
  refuseStop,
} from "../../domain/order/signing-limits.ts";
import type { Chain } from "../../solana/chain.ts";
import {
  type LimitedOrder,
  type OrderLimits,
  readTwice,
  type SigningPurpose,
  type SigningTerms,
} from "../order-signing.ts";
import type { VenueAccount } from "../venue.ts";
import { accountStateOf } from "./account-state.ts";
import {
  createExchangeReader,
  type ExchangeReader,
  type ExchangeReading,
} from "./exchange-reader.ts";
import {
  DIRECTION,
  driftArguments,
  MARKET_TYPE,
  ORDER_TYPE,
  type OrderParams,
} from "./instruction-arguments.ts";
import { type DriftOrder, ORDER_STATUS } from "./layout-user.ts";
import { ownUser } from "./owned-account.ts";
import { deriveSpotMarket, userAddressOf } from "./pdas.ts";
import type { DriftInstance } from "./instance.ts";
import { drift } from "./profile.ts";
import { isTriggered, protectiveKeyOf, readProtective, stopsOf } from "./protective.ts";
import { readExactly } from "./read-exactly.ts";

type Kind = "order" | "protect" | "fill" | "cancel" | "settle";

interface OrderAction {
  readonly kind: Kind;
  /** Number of accounts the allow-list checks; the accounts after them are read-only or markets. */
  readonly fixed: number;
  readonly params?: OrderParams;
  readonly protective?: Protective;
  /** Orders that it cancels. */
  readonly cancels?: (order: DriftOrder) => boolean;
}

type Protective = NonNullable<ReturnType<typeof readProtective>>;

function orderActionOf({ data }: Required<Instruction>): OrderAction | null {
  const taken = readExactly(driftArguments.placeAndTakePerpOrder, data);
  if (taken !== null) return { kind: "order", fixed: 4, params: taken.params };
  const protective = readProtective(data);
  if (protective !== null) return { kind: "protect", fixed: 3, protective };
  const placed = readExactly(driftArguments.placePerpOrder, data);
  if (placed !== null) return { kind: "order", fixed: 3, params: placed };
  if (readExactly(driftArguments.fillPerpOrder, data) !== null) {
    return { kind: "fill", fixed: 6 };
  }
  const named = readExactly(driftArguments.cancelOrdersByIds, data);
  if (named !== null) {
    return { kind: "cancel", fixed: 3, cancels: ({ orderId }) => named.orderIds.includes(orderId) };
  }
  if (readExactly(driftArguments.cancelOrders, data) !== null) {
    return { kind: "cancel", fixed: 3, cancels: () => true };
  }
  return readExactly(driftArguments.settlePnl, data) === null ? null : { kind: "settle", fixed: 4 };
}

const PURPOSE_WORDS: Readonly<Record<SigningPurpose, string>> = {
  order: "order",
  protective: "set of protective orders",
  follow_up: "follow-up",
  settlement: "settlement",
};

/** Instructions of each signing purpose, in this order: an order may first cancel what still rests. */
const ALLOWED: Readonly<Record<SigningPurpose, RegExp>> = {
  order: /^(cancel )?order$/,
  protective: /^(cancel )?protect( protect)*$|^cancel$/,
  follow_up: /^(fill|cancel)$/,
  settlement: /^settle$/,
};

interface OrderLimitOptions {
  readonly chain: Chain;
  /** The chains of an entry's two readings, which share requests with those of other entries and never with each other. */
  readonly readings?: readonly [Chain, Chain];
  readonly instance: DriftInstance;
  readonly clock: Clock;
}

/** Reads accounts, and knows the markets and oracles that an order may name. */
function readExchange({ chain, readings = [chain, chain], instance }: OrderLimitOptions) {
  const reader = createExchangeReader(chain, instance);
  const readers = new Map(readings.map((by) => [by, createExchangeReader(by, instance)]));
  const quoteMarket = deriveSpotMarket(instance, instance.quoteSpotMarketIndex);
  let known: ReadonlySet<Address> = new Set();
  return {
    reader,
    readings,
    readerOf: (by: Chain) => readers.get(by) ?? reader,
    isKnown: (address: Address) => known.has(address),
    async readAccount(account: VenueAccount, by: ExchangeReader = reader) {
      const reading = await by.read([userAddressOf(instance, account)]);
      const indexes = reading.markets.map(({ market }) => market.marketIndex);
      const { oracles, perpMarkets, otherMarkets = [] } = reader.marketAccounts(reading, indexes);
      known = new Set([...oracles, ...perpMarkets, ...otherMarkets, quoteMarket]);
      const user = ownUser(account, reading.users[0] ?? null);
      const state = accountStateOf(user, reading);
      return {
        reading,
        orders: user?.orders ?? [],
        positions: state.positions,
        account: toReading(state, (state.cash ?? 0n) - state.netDeposits),
      };
    },
  };
}

/**
 * Returns the limits of a trading key's signatures on Drift: exactly one operation of the requested purpose; an entry only
 * in the agent's market, no larger with what is held than the leverage of the account on the smaller of two reads, and
 * priced within the agent's slippage of the oracle as read here;
 * only reducing orders where the agent may only reduce; protective orders only for the position that is held, within
 * their limit; and no accounts but the exchange's markets and their oracles.
 */
export function createDriftOrderLimits(options: OrderLimitOptions): OrderLimits {
  const { instance, clock } = options;
  const exchange = readExchange(options);
  const { readAccount } = exchange;

  const refuseEntry = (
    params: OrderParams,
    notional: bigint,
    seen: AccountReading,
    { marketId, leverage, tradingState, unsigned }: SigningTerms,
  ): string | null => {
    if (tradingState === "reducing") return refuseAnyEntry(unsigned);
    return instance.perpMarketIndexes[marketId] === params.marketIndex
      ? refuseSize(notional, seen, leverage)
      : "it is not the agent's market";
  };

  const limitOrder = async (
    account: VenueAccount,
    params: OrderParams,
    actions: readonly OrderAction[],
    terms: SigningTerms,
  ): Promise<LimitedOrder> => {
    if (terms.tradingState === "halted") return { refusal: "trading is halted" };
    const { price, reduceOnly } = params;
    const [last, other] = reduceOnly
      ? [await readAccount(account)]
      : await readTwice(exchange.readings, (by) => readAccount(account, exchange.readerOf(by)));
    const found = tradedMarketOf(last.reading, params.marketIndex);
    if (found === null) return { refusal: "the market is not traded here" };
    const { market, reading: traded } = found;
    const seen = other === undefined ? last.account : smallerOf(last.account, other.account);
    const side = params.direction === DIRECTION.long ? "long" : "short";
    const [nowMs, { decimals }] = [clock.now(), instance.quote];
    const baseSize = reduceOnly
      ? reducedBy(params.baseAssetAmount, seen.positions[traded.marketId] ?? 0n)
      : params.baseAssetAmount;
    const notional = notionalOf(baseSize, traded.price.price, market, decimals);
    const refusal =
      refusePrice({ side, price, reduceOnly }, traded.price, {
        slippageBps: terms.slippageBps,
        nowMs,
      }) ??
      (reduceOnly ? null : refuseEntry(params, notional, seen, terms)) ??
      refuseStops(last, actions, terms);
    const { marketId } = traded;
    const order = { side, price, reduceOnly, marketId, baseSize, notional, account: seen } as const;
    return refusal === null ? { refusal, order: toOrder(order, traded.price, nowMs) } : { refusal };
  };

  const limit = async (
    account: VenueAccount,
    actions: readonly OrderAction[],
    terms: SigningTerms,
  ): Promise<LimitedOrder> => {
    const params = actions.find((action) => action.params !== undefined)?.params;
    if (params !== undefined) return limitOrder(account, params, actions, terms);
    const protective = actions.flatMap((action) => action.protective ?? []);
    const hasCancelled =
      terms.stop !== null && actions.some(({ cancels }) => cancels !== undefined);
    if (protective.length === 0 && !hasCancelled) return { refusal: null, order: null };
    const last = await readAccount(account);
    const refusal = refuseStops(last, actions, terms);
    if (refusal !== null) return { refusal };
    return protective.length === 0
      ? { refusal: null, order: null }
      : judgeProtective(instance, last, protective, terms, clock.now());
  };

  return async (account, instructions, purpose, terms) => {
    const actions = instructions.flatMap((each) => orderActionOf(each) ?? []);
    const isKnown = actions.length === instructions.length;
    if (!isKnown || !ALLOWED[purpose].test(actions.map(({ kind }) => kind).join(" "))) {
      return { refusal: `it is more or something else than one ${PURPOSE_WORDS[purpose]}` };
    }
    const shown = instructions.flatMap(({ accounts }, at) =>
      accounts.slice(actions[at]?.fixed).filter(({ role }) => !isWritableRole(role)),
    );
    const isStrange = () => shown.some(({ address }) => !exchange.isKnown(address));
    const limited = await limit(account, actions, terms);
    if (limited.refusal !== null) return limited;
    if (limited.order === null && isStrange()) await readAccount(account);
    return isStrange()
      ? { refusal: "it names an account that is no market and no oracle" }
      : limited;
  };
}

type Exchange = Awaited<ReturnType<ReturnType<typeof readExchange>["readAccount"]>>;

type TradedMarket = NonNullable<ReturnType<typeof tradedMarketOf>>;

/** Returns the base units, negative for a short, that an account's entries in a market can still open in their auctions. */
const enteringBase = (orders: readonly DriftOrder[], market: number): bigint =>
  orders
    .filter(
      ({ status, marketType, orderType, reduceOnly, marketIndex }) =>
        status === ORDER_STATUS.open &&
        marketType === MARKET_TYPE.perp &&
        orderType === ORDER_TYPE.market &&
        !reduceOnly &&
        marketIndex === market,
    )
    .reduce((sum, { direction, baseAssetAmount, baseAssetAmountFilled }) => {
      const left = baseAssetAmount - baseAssetAmountFilled;
      return direction === DIRECTION.long ? sum + left : sum - left;
    }, 0n);

/**
 * Returns the account as it is once its entry in a market, which waits out its auction, has filled at the market's price:
 * the stop of an entry may rest before there is a position.
 */
function withEntering(
  account: AccountReading,
  orders: readonly DriftOrder[],
  { market, reading: { marketId, market: traded, price } }: TradedMarket,
  quoteDecimals: number,
): AccountReading {
  const base = enteringBase(orders, traded.marketIndex);
  if (base === 0n) return account;
  const { cash, positions } = account;
  const notional = notionalOf(base < 0n ? -base : base, price.price, market, quoteDecimals);
  return {
    ...account,
    cash: base < 0n ? cash + notional : cash - notional,
    positions: { ...positions, [marketId]: (positions[marketId] ?? 0n) + base },
  };
}

/**
 * Returns why these actions must not be signed for what they do to the stop that the plan asks for: each one placed
 * protects the position, or what an entry in its auction opens at the market's price, as the plan says, and none is
 * taken away without another that does, by an exit either, which may not fill. One that was triggered is an order on its
 * way, which an exit follows.
 */
function refuseStops(
  { reading, orders, positions }: Exchange,
  actions: readonly OrderAction[],
  { stop, marketId }: SigningTerms,
): string | null {
  const traded = reading.markets.find((each) => each.marketId === marketId);
  if (traded === undefined) return null;
  const { marketIndex, amm } = traded.market;
  const entering = enteringBase(orders, marketIndex);
  const opening = {
    side: entering < 0n ? ("short" as const) : ("long" as const),
    baseSize: entering < 0n ? -entering : entering,
    entryPrice: traded.price.price,
  };
  const position =
    positions.find((each) => each.marketId === marketId) ?? (entering === 0n ? undefined : opening);
  const isStop = (number: number) => protectiveKeyOf(number, marketIndex) === "stop";
  const placed = actions
    .flatMap(({ protective }) => protective ?? [])
    .filter(({ trigger }) => isStop(trigger.userOrderId));
  if (stop === null) return placed.length === 0 ? null : "its plan asks for no stop";
  if (position === undefined) return null;
  const terms = { at: stop, step: amm.orderStepSize };
  const refusal = placed
    .map(({ terms: { baseSize }, trigger }) =>
      refuseStop({ ...trigger, baseSize }, position, terms),
    )
    .find((each) => each !== null);
  if (refusal != null) return refusal;
  if (placed.length > 0) return null;
  const resting = stopsOf(orders, marketIndex, position.side).filter((each) => !isTriggered(each));
  const isTaken = (order: DriftOrder) => actions.some(({ cancels }) => cancels?.(order) === true);
  return resting.some(isTaken) && resting.every(isTaken)
    ? "it takes away the stop that the plan asks for"
    : null;
}

/** Judges orders that rest for one position; what they cost together is at most the most expensive of them. */
function judgeProtective(
  { quote }: DriftInstance,
  { reading, orders: present, account: seen }: Exchange,
  orders: readonly Protective[],
  { tradingState, slippageBps }: SigningTerms,
  nowMs: number,
): LimitedOrder {
  if (tradingState === "halted") return { refusal: "trading is halted" };
  const indexes = [...new Set(orders.map(({ terms }) => terms.marketIndex))];
  const traded = tradedMarketOf(reading, indexes[0]);
  if (traded === null) return { refusal: "the market is not traded here" };
  if (indexes.length > 1) return { refusal: "it protects more than one position" };
  const { market } = traded;
  const { marketId } = market;
  const account = withEntering(seen, present, traded, quote.decimals);
  const bounds = { position: account.positions[marketId] ?? 0n, slippageBps, nowMs };
  const refusal = orders
    .map(({ terms, trigger }) =>
      refuseProtective({ ...terms, ...trigger }, traded.reading.price, bounds),
    )
    .find((each) => each !== null);
  if (refusal != null) return { refusal };
  const [worst = null] = orders
    .map(({ terms: { baseSize, price }, trigger: { triggerPrice } }) => {
      const notional = notionalOf(baseSize, triggerPrice, market, quote.decimals);
      const beyondBps = beyondTrigger(price, triggerPrice);
      return toProtectiveOrder({ marketId, baseSize, notional, beyondBps, account });
    })
    .toSorted((a, b) => (a.cost > b.cost ? -1 : 1));
  return { refusal: null, order: worst };
}

/** Returns a market that is traded here, as it was read; null for any other. */
function tradedMarketOf({ markets }: ExchangeReading, index: number | undefined) {
  const reading = markets.find((each) => each.isTraded && each.market.marketIndex === index);
  const market = drift.markets.find(({ marketId }) => marketId === reading?.marketId);
  return reading === undefined || market === undefined ? null : { reading, market };
}

const BPS = 10_000n;

/** Returns how far a price is from its trigger in basis points, rounded up. */
const beyondTrigger = (price: bigint, trigger: bigint): bigint =>
  mulDiv(price > trigger ? price - trigger : trigger - price, BPS, trigger, "up");

/** Returns how much of a position an order of that size reduces; the exchange closes no more than there is. */
function reducedBy(size: bigint, position: bigint): bigint {
  const held = position < 0n ? -position : position;
  return size < held ? size : held;
}
