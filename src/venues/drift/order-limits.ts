import { type Address, type Instruction, isWritableRole } from "@solana/kit";
import type { Clock } from "../../domain/clock.ts";
import { notionalOf } from "../../domain/order/order-intent.ts";
import {
  type AccountReading,
  smallerOf,
  toOrder,
  toReading,
} from "../../domain/order/signing-budget.ts";
import { refuseAnyEntry, refusePrice, refuseSize } from "../../domain/order/signing-limits.ts";
import type { Chain } from "../../solana/chain.ts";
import type { LimitedOrder, OrderLimits, SigningPurpose, SigningTerms } from "../order-signing.ts";
import type { VenueAccount } from "../venue.ts";
import { accountStateOf } from "./account-state.ts";
import { createExchangeReader, type ExchangeReading } from "./exchange-reader.ts";
import { DIRECTION, driftArguments, type OrderParams } from "./instruction-arguments.ts";
import { ownUser } from "./owned-account.ts";
import { deriveSpotMarket, userAddressOf } from "./pdas.ts";
import type { DriftInstance } from "./instance.ts";
import { drift } from "./profile.ts";
import { readExactly } from "./read-exactly.ts";

type Kind = "order" | "fill" | "cancel" | "settle";

interface OrderAction {
  readonly kind: Kind;
  /** Number of accounts the allow-list checks; the accounts after them are read-only or markets. */
  readonly fixed: number;
  readonly params: OrderParams | null;
}

function orderActionOf({ data }: Required<Instruction>): OrderAction | null {
  const taken = readExactly(driftArguments.placeAndTakePerpOrder, data);
  if (taken !== null) return { kind: "order", fixed: 4, params: taken.params };
  const placed = readExactly(driftArguments.placePerpOrder, data);
  if (placed !== null) return { kind: "order", fixed: 3, params: placed };
  if (readExactly(driftArguments.fillPerpOrder, data) !== null) {
    return { kind: "fill", fixed: 6, params: null };
  }
  const canceled =
    readExactly(driftArguments.cancelOrders, data) ??
    readExactly(driftArguments.cancelOrdersByIds, data);
  if (canceled !== null) return { kind: "cancel", fixed: 3, params: null };
  return readExactly(driftArguments.settlePnl, data) === null
    ? null
    : { kind: "settle", fixed: 4, params: null };
}

/** Instructions of each signing purpose, in this order: an order may first cancel what still rests. */
const ALLOWED: Readonly<Record<SigningPurpose, readonly string[]>> = {
  order: ["order", "cancel order"],
  follow_up: ["fill", "cancel"],
  settlement: ["settle"],
};

/**
 * Returns the limits of a trading key's signatures on Drift: exactly one operation of the requested purpose; an entry only
 * in the agent's market, no larger than the account on the smaller of two reads, and priced within the agent's slippage of the oracle as read here;
 * only reducing orders where the agent may only reduce; and no accounts but the exchange's markets and their oracles.
 */
export function createDriftOrderLimits(options: {
  readonly chain: Chain;
  readonly instance: DriftInstance;
  readonly clock: Clock;
}): OrderLimits {
  const { chain, instance, clock } = options;
  const reader = createExchangeReader(chain, instance);
  const quoteMarket = deriveSpotMarket(instance, instance.quoteSpotMarketIndex);
  let known: ReadonlySet<Address> = new Set();

  async function read(users: readonly Address[]): Promise<ExchangeReading> {
    const reading = await reader.read(users);
    const indexes = reading.markets.map(({ market }) => market.marketIndex);
    const { oracles, perpMarkets, otherMarkets = [] } = reader.marketAccounts(reading, indexes);
    known = new Set([...oracles, ...perpMarkets, ...otherMarkets, quoteMarket]);
    return reading;
  }

  const readAccount = async (account: VenueAccount) => {
    const reading = await read([userAddressOf(instance, account)]);
    const state = accountStateOf(ownUser(account, reading.users[0] ?? null), reading);
    return { reading, account: toReading(state, (state.cash ?? 0n) - state.netDeposits) };
  };

  const refuseEntry = (
    params: OrderParams,
    notional: bigint,
    { free }: AccountReading,
    { marketId, tradingState, unsigned }: SigningTerms,
  ): string | null => {
    if (tradingState === "reducing") return refuseAnyEntry(unsigned);
    return instance.perpMarketIndexes[marketId] === params.marketIndex
      ? refuseSize(notional, free)
      : "it is not the agent's market";
  };

  const limitOrder = async (
    account: VenueAccount,
    params: OrderParams,
    terms: SigningTerms,
  ): Promise<LimitedOrder> => {
    if (terms.tradingState === "halted") return { refusal: "trading is halted" };
    const { price, reduceOnly } = params;
    const [last, other] = await Promise.all([
      readAccount(account),
      ...(reduceOnly ? [] : [readAccount(account)]),
    ]);
    const traded = last.reading.markets.find(
      ({ market, isTraded }) => isTraded && market.marketIndex === params.marketIndex,
    );
    const market = drift.markets.find(({ marketId }) => marketId === traded?.marketId);
    if (traded === undefined || market === undefined) {
      return { refusal: "the market is not traded here" };
    }
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
      }) ?? (reduceOnly ? null : refuseEntry(params, notional, seen, terms));
    const { marketId } = traded;
    const order = { side, price, reduceOnly, marketId, baseSize, notional, account: seen } as const;
    return refusal === null ? { refusal, order: toOrder(order, traded.price, nowMs) } : { refusal };
  };

  return async (account, instructions, purpose, terms) => {
    const actions = instructions.map(orderActionOf);
    if (!ALLOWED[purpose].includes(actions.map((action) => action?.kind).join(" "))) {
      return { refusal: `it is more or something else than one ${purpose.replace("_", "-")}` };
    }
    const shown = instructions.flatMap(({ accounts }, at) =>
      accounts.slice(actions[at]?.fixed).filter(({ role }) => !isWritableRole(role)),
    );
    const isStrange = () => shown.some(({ address }) => !known.has(address));
    const params = actions.find((action) => action?.kind === "order")?.params ?? null;
    const limited: LimitedOrder =
      params === null ? { refusal: null, order: null } : await limitOrder(account, params, terms);
    if (limited.refusal !== null) return limited;
    if (params === null && isStrange()) await read([userAddressOf(instance, account)]);
    return isStrange()
      ? { refusal: "it names an account that is no market and no oracle" }
      : limited;
  };
}

/** Returns how much of a position an order of that size reduces; the exchange closes no more than there is. */
function reducedBy(size: bigint, position: bigint): bigint {
  const held = position < 0n ? -position : position;
  return size < held ? size : held;
}
