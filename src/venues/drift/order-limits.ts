import { type Address, type Instruction, isWritableRole } from "@solana/kit";
import type { Clock } from "../../domain/clock.ts";
import { notionalOf } from "../../domain/order/order-intent.ts";
import { refuseAnyEntry, refusePrice, refuseSize } from "../../domain/order/signing-limits.ts";
import type { Chain } from "../../solana/chain.ts";
import type { OrderLimits, SigningPurpose, SigningTerms } from "../order-signing.ts";
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
 * in the agent's market, no larger than the account, and priced within the agent's slippage of the oracle as read here;
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

  const refuseEntry = (
    account: VenueAccount,
    params: OrderParams,
    reading: ExchangeReading,
    { marketId, tradingState, unsigned }: SigningTerms,
  ): string | null => {
    if (tradingState === "reducing") return refuseAnyEntry(unsigned);
    const index = instance.perpMarketIndexes[marketId];
    const market = drift.markets.find((each) => each.marketId === marketId);
    const found = reading.markets.find((each) => each.market.marketIndex === index);
    if (index !== params.marketIndex || market === undefined || found === undefined) {
      return "it is not the agent's market";
    }
    const state = accountStateOf(ownUser(account, reading.users[0] ?? null), reading);
    const { decimals } = instance.quote;
    const notional = notionalOf(params.baseAssetAmount, found.price.price, market, decimals);
    return refuseSize(notional, state.freeCollateral);
  };

  const refuseOrder = (
    account: VenueAccount,
    params: OrderParams,
    reading: ExchangeReading,
    terms: SigningTerms,
  ): string | null => {
    if (terms.tradingState === "halted") return "trading is halted";
    const traded = reading.markets.find(
      ({ market, isTraded }) => isTraded && market.marketIndex === params.marketIndex,
    );
    if (traded === undefined) return "the market is not traded here";
    const { price, reduceOnly } = params;
    const side = params.direction === DIRECTION.long ? "long" : "short";
    return (
      refusePrice({ side, price, reduceOnly }, traded.price, {
        slippageBps: terms.slippageBps,
        nowMs: clock.now(),
      }) ?? (reduceOnly ? null : refuseEntry(account, params, reading, terms))
    );
  };

  return async (account, instructions, purpose, terms) => {
    const actions = instructions.map(orderActionOf);
    if (!ALLOWED[purpose].includes(actions.map((action) => action?.kind).join(" "))) {
      return `it is more or something else than one ${purpose.replace("_", "-")}`;
    }
    const shown = instructions.flatMap(({ accounts }, at) =>
      accounts.slice(actions[at]?.fixed).filter(({ role }) => !isWritableRole(role)),
    );
    const isStrange = () => shown.some(({ address }) => !known.has(address));
    const params = actions.find((action) => action?.kind === "order")?.params ?? null;
    const users = [userAddressOf(instance, account)];
    if (params !== null) {
      const refusal = refuseOrder(account, params, await read(users), terms);
      if (refusal !== null) return refusal;
    } else if (isStrange()) await read(users);
    return isStrange() ? "it names an account that is no market and no oracle" : null;
  };
}
