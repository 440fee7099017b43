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

function priced(
  state: AccountState,
  asset: string,
  prices: PriceSource,
  time: PracticeTime,
): AccountState {
  const quote = prices.quote(asset, time.nowMs);
  if (quote === undefined) return state;
  const publishTime = BigInt(Math.floor(quote.publishedAtMs / 1_000));
  const data = priceUpdateLayout.encode({
    ...decodeOnce(priceUpdateLayout, state.data),
    price: quote.price,
    conf: quote.confidence,
    publishTime,
    prevPublishTime: publishTime,
    emaPrice: quote.price,
    emaConf: quote.confidence,
    postedSlot: time.slot,
  });
  return { ...state, data };
}

function kept(
  state: AccountState,
  asset: string,
  prices: PriceSource,
  time: PracticeTime,
): AccountState {
  const market = decodeOnce(perpMarketLayout, state.data);
  const quote = prices.quote(asset, time.nowMs);
  if (quote === undefined) return state;
  const funded = accrueFunding(market, quote.price, time.unixTime);
  return { ...state, data: perpMarketLayout.encode(marketAtPrice(funded, quote.price, time)) };
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
    const oracleAsset = ORACLES.get(address);
    const marketAsset = MARKET_ASSETS.get(address);
    if (state === undefined || (oracleAsset ?? marketAsset) === undefined) return state;
    const known = made.get(address);
    if (known !== undefined) return known;
    const next =
      oracleAsset === undefined
        ? kept(state, marketAsset ?? "", prices, time)
        : priced(state, oracleAsset, prices, time);
    made.set(address, next);
    return next;
  };
}
