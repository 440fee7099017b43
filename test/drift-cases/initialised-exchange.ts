import type { Address } from "@solana/kit";
import {
  exchangeAccounts,
  oracleAddress,
  PRACTICE_MARKETS,
} from "../../src/practice/programs/drift/drift-genesis.ts";
import { marketAtPrice } from "../../src/practice/programs/drift/market-at-price.ts";
import type { ChainTime } from "../../src/practice/runtime/program.ts";
import type { AccountState } from "../../src/practice/runtime/account-state.ts";
import { perpMarketLayout } from "../../src/venues/drift/layout-perp-market.ts";
import { priceUpdateLayout } from "../../src/solana/programs/pyth-receiver.ts";
import { stateLayout } from "../../src/venues/drift/layout-state.ts";
import { derivePerpMarket, deriveState } from "../../src/venues/drift/pdas.ts";
import { DRIFT_V2_INSTANCE as IDS } from "../../src/venues/drift/instance.ts";

/** The market cases trade: SOL-PERP. */
const [SOL_MARKET] = PRACTICE_MARKETS;
if (SOL_MARKET === undefined) throw new Error("The practice exchange has no market");
export const SOL_ORACLE = oracleAddress(SOL_MARKET);
export const SOL_PERP = derivePerpMarket(IDS, SOL_MARKET.marketIndex);

type Exchange = ReadonlyMap<Address, AccountState>;

/**
 * Returns the exchange's accounts in their state right after initialisation, with a price of SOL.
 *
 * Source: `handle_initialize`, `handle_initialize_spot_market`, `handle_initialize_perp_market` of the public program.
 */
export function initialisedExchange(time: ChainTime, price: bigint): Exchange {
  const accounts = new Map(exchangeAccounts(time.unixTime));
  const edit = <T>(
    address: Address,
    layout: { decode(data: Uint8Array): T; encode(value: T): Uint8Array },
    change: (value: T) => T,
  ): void => {
    const account = accounts.get(address);
    if (account === undefined) throw new Error("The exchange lacks an account");
    accounts.set(address, { ...account, data: layout.encode(change(layout.decode(account.data))) });
  };
  // A case that wants auctions sets them
  edit(deriveState(IDS), stateLayout, (state) => ({ ...state, minPerpAuctionDuration: 0 }));
  edit(SOL_PERP, perpMarketLayout, (market) => marketAtPrice(market, price, time));
  edit(SOL_ORACLE, priceUpdateLayout, (oracle) => ({
    ...oracle,
    price,
    conf: price / 10_000n,
    publishTime: time.unixTime,
    prevPublishTime: time.unixTime,
    emaPrice: price,
    emaConf: price / 10_000n,
    postedSlot: time.slot,
  }));
  return accounts;
}
