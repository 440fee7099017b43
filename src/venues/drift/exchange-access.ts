import {
  type ExchangeReader,
  type ExchangeReading,
  type MarketReading,
  createExchangeReader,
} from "./exchange-reader.ts";
import type { Address } from "@solana/kit";
import type { Clock } from "../../domain/clock.ts";
import { type Chain, ChainUnavailableError } from "../../solana/chain.ts";
import type { AccountState } from "../../domain/position.ts";
import type { VenueAccount } from "../venue.ts";
import type { MarketAccounts } from "./instructions.ts";
import { type DriftUser, ORDER_STATUS } from "./layout-user.ts";
import { ownUser } from "./owned-account.ts";
import { userAddressOf } from "./pdas.ts";
import type { DriftInstance } from "./instance.ts";

/** Returns the markets of open positions and orders, which the program requires as accounts. */
function touchedMarkets(user: DriftUser | null): number[] {
  if (user === null) return [];
  return [
    ...user.perpPositions
      .filter((slot) => slot.baseAssetAmount !== 0n || slot.quoteAssetAmount !== 0n)
      .map(({ marketIndex }) => marketIndex),
    ...user.orders
      .filter(({ status }) => status === ORDER_STATUS.open)
      .map(({ marketIndex }) => marketIndex),
  ];
}

/** The venue's access to the exchange: the deployment's accounts and one owner's account. */
export interface ExchangeAccess {
  readonly chain: Chain;
  readonly instance: DriftInstance;
  readonly clock: Clock;
  readonly reader: ExchangeReader;
  userAddress(account: VenueAccount): Address;
  /** Returns a market's index. Throws for a market the deployment does not trade. */
  marketIndex(marketId: string): number;
  marketOf(reading: ExchangeReading, marketId: string): MarketReading;
  /** Asks this node of the chain where one is named. */
  readOne(account: VenueAccount, on?: Chain): Promise<AccountReading>;
  /** Keeps what a state was made of, for as long as the state itself is kept. */
  keepReading(state: AccountState, read: AccountReading): AccountState;
  /** Returns what this state was made of, where it is this account's and at most a second old; otherwise reads. */
  readAsSeen(account: VenueAccount, seen: AccountState | undefined): Promise<AccountReading>;
}

/** The exchange and one account, from one read; `readAtMs` is when it was asked for. */
interface AccountReading {
  readonly address: Address;
  readonly readAtMs: number;
  readonly reading: ExchangeReading;
  readonly user: DriftUser | null;
  /** Returns the accounts of the markets the user touches and of these, as an instruction needs them. */
  readonly markets: (...others: readonly number[]) => MarketAccounts;
}

/** How old a reading may be from which an order is built, in milliseconds: two slots and a half. */
const KEPT_MS = 1_000;

/** Returns the access that the parts of the venue share. */
export function accessExchange(options: {
  readonly chain: Chain;
  readonly instance: DriftInstance;
  readonly clock: Clock;
}): ExchangeAccess {
  const { chain, instance, clock } = options;
  const kept = new WeakMap<AccountState, AccountReading>();
  const reader = createExchangeReader(chain, instance);
  const userAddress = (account: VenueAccount): Address => userAddressOf(instance, account);
  const marketIndex = (marketId: string): number => {
    const index = instance.perpMarketIndexes[marketId];
    if (index === undefined) throw new Error(`${instance.name} does not trade ${marketId}`);
    return index;
  };

  const marketOf = ({ markets }: ExchangeReading, marketId: string): MarketReading => {
    const index = marketIndex(marketId);
    const found = markets.find(({ market }) => market.marketIndex === index);
    if (found === undefined) throw new ChainUnavailableError(`No market ${marketId}`);
    return found;
  };

  async function readOne(account: VenueAccount, on?: Chain): Promise<AccountReading> {
    const address = userAddress(account);
    const readAtMs = clock.now();
    const asked = on === undefined ? reader : createExchangeReader(on, instance);
    const reading = await asked.read([address]);
    const user = ownUser(account, reading.users[0] ?? null);
    const markets = (...others: readonly number[]) =>
      reader.marketAccounts(reading, [...touchedMarkets(user), ...others]);
    return { address, readAtMs, reading, user, markets };
  }

  return {
    ...options,
    reader,
    userAddress,
    marketIndex,
    marketOf,
    readOne,
    keepReading(state, read) {
      kept.set(state, read);
      return state;
    },
    async readAsSeen(account, seen) {
      const known = seen === undefined ? undefined : kept.get(seen);
      const isUsable =
        known?.address === userAddress(account) && clock.now() - known.readAtMs <= KEPT_MS;
      return known !== undefined && isUsable ? known : readOne(account);
    },
  };
}

/** Returns a reading together with one of its markets. */
export function exchangeOf(
  { marketOf }: ExchangeAccess,
  read: Awaited<ReturnType<ExchangeAccess["readOne"]>>,
  marketId: string,
) {
  const market = marketOf(read.reading, marketId);
  return { ...read, market, markets: read.markets(market.market.marketIndex) };
}
