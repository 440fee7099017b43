import type { Address } from "@solana/kit";
import { priceUpdateLayout } from "../../../venues/drift/layout-oracle.ts";
import { perpMarketLayout } from "../../../venues/drift/layout-perp-market.ts";
import { derivePerpMarket } from "../../../venues/drift/pdas.ts";
import { DRIFT_V2_INSTANCE } from "../../../venues/drift/instance.ts";
import type { PriceSource } from "../../price-source.ts";
import type { AccountState, ReadAccount } from "../../runtime/account-state.ts";
import { decodeOnce } from "../../runtime/decode-once.ts";
import type { PracticeTime } from "../../venue-stand-in.ts";
import { oracleAddress } from "./drift-genesis.ts";
import { accrueFunding } from "./funding.ts";
import { marketAtPrice } from "./market-at-price.ts";
import { PRACTICE_MARKETS } from "./practice-markets.ts";

const ORACLES = new Map(
  PRACTICE_MARKETS.map((market) => [oracleAddress(market), market.asset] as const),
);

const MARKET_ASSETS = new Map(
  PRACTICE_MARKETS.map(
    (market) => [derivePerpMarket(DRIFT_V2_INSTANCE, market.marketIndex), market.asset] as const,
  ),
);

type Quote = NonNullable<ReturnType<PriceSource["quote"]>>;

function priced(state: AccountState, quote: Quote, { slot }: PracticeTime): AccountState {
  const publishTime = BigInt(Math.floor(quote.publishedAtMs / 1_000));
  const data = priceUpdateLayout.encode({
    ...decodeOnce(priceUpdateLayout, state.data),
    price: quote.price,
    conf: quote.confidence,
    publishTime,
    prevPublishTime: publishTime,
    emaPrice: quote.price,
    emaConf: quote.confidence,
    postedSlot: slot,
  });
  return { ...state, data };
}

function kept(state: AccountState, quote: Quote, time: PracticeTime): AccountState {
  const market = decodeOnce(perpMarketLayout, state.data);
  const funded = accrueFunding(market, quote.price, time.unixTime);
  return { ...state, data: perpMarketLayout.encode(marketAtPrice(funded, quote.price, time)) };
}

/** All that an account as of now depends on, and the account. */
interface Made {
  readonly of: AccountState;
  readonly price: bigint;
  readonly confidence: bigint;
  readonly publishedAtSecond: number;
  readonly slot: bigint;
  readonly unixTime: bigint;
  readonly next: AccountState;
}

/** Prices stand still for some milliseconds: within them the same bytes need not be made, nor decoded, again. */
const lastMade = new Map<Address, Made>();

function madeOnce(
  address: Address,
  state: AccountState,
  quote: Quote,
  time: PracticeTime,
): AccountState {
  const last = lastMade.get(address);
  const publishedAtSecond = Math.floor(quote.publishedAtMs / 1_000);
  if (
    last?.of === state &&
    last.price === quote.price &&
    last.confidence === quote.confidence &&
    last.publishedAtSecond === publishedAtSecond &&
    last.slot === time.slot &&
    last.unixTime === time.unixTime
  ) {
    return last.next;
  }
  const next = ORACLES.has(address) ? priced(state, quote, time) : kept(state, quote, time);
  const { price, confidence } = quote;
  const { slot, unixTime } = time;
  const made = { of: state, price, confidence, publishedAtSecond, slot, unixTime, next };
  lastMade.set(address, made);
  return next;
}

/**
 * Returns accounts as keepers would have left them: oracles at the present price, markets at that price and with all
 * due funding.
 *
 * Nothing is written; a market's state is stored by the next trade that writes it.
 */
export function withKeepers(
  account: ReadAccount,
  prices: PriceSource,
  time: PracticeTime,
): ReadAccount {
  const made = new Map<Address, AccountState>();
  return (address) => {
    const state = account(address);
    const asset = ORACLES.get(address) ?? MARKET_ASSETS.get(address);
    if (state === undefined || asset === undefined) return state;
    const known = made.get(address);
    if (known !== undefined) return known;
    const quote = prices.quote(asset, time.nowMs);
    const next = quote === undefined ? state : madeOnce(address, state, quote, time);
    made.set(address, next);
    return next;
  };
}
