import type { Address } from "@solana/kit";
import { type Chain, ChainUnavailableError } from "../../solana/chain.ts";
import type { MarketPrice } from "../venue.ts";
import type { MarketAccounts } from "./instructions.ts";
import { type DriftPerpMarket, perpMarketLayout } from "./layout-perp-market.ts";
import { type DriftSpotMarket, ORACLE_SOURCE, spotMarketLayout } from "./layout-spot-market.ts";
import { type DriftState, stateLayout } from "./layout-state.ts";
import { type DriftUser, userLayout } from "./layout-user.ts";
import { readOwned, requireOwned } from "./owned-account.ts";
import { derivePerpMarket, deriveSpotMarket, deriveState } from "./pdas.ts";
import type { DriftInstance } from "./instance.ts";
import { readMarketPrice } from "./oracle-price.ts";

/** One perpetual market with its price, from one read. Reading `price` throws where there is none. */
export interface MarketReading {
  readonly marketId: string;
  readonly address: Address;
  readonly market: DriftPerpMarket;
  readonly price: MarketPrice;
}

/** The exchange and some users at one slot. A user is null when its account does not exist. */
export interface ExchangeReading {
  readonly slot: bigint;
  readonly state: DriftState;
  readonly quoteMarket: DriftSpotMarket;
  readonly markets: readonly MarketReading[];
  readonly users: readonly (DriftUser | null)[];
}

/** Largest number of addresses per read (`getMultipleAccounts`). */
const READ_LIMIT = 100;

/** Reads the traded markets together with the requested users. */
export interface ExchangeReader {
  /** Returns the oracle accounts that instructions may need: the quote token's, where it has one, and the markets'. */
  priceAccounts(): Promise<readonly Address[]>;
  read(users: readonly Address[]): Promise<ExchangeReading>;
  /** Returns the accounts that an instruction on these markets needs, in the program's order. */
  marketAccounts(reading: ExchangeReading, marketIndexes: Iterable<number>): MarketAccounts;
}

/** The quote token's oracle; a token whose price is one by definition has none. */
const quoteOracles = ({ oracle, oracleSource }: DriftSpotMarket): readonly Address[] =>
  oracleSource === ORACLE_SOURCE.quoteAsset ? [] : [oracle];

/** Creates a reader. Oracle addresses are cached, so that each later read is one call per hundred accounts. */
export function createExchangeReader(chain: Chain, instance: DriftInstance): ExchangeReader {
  const entries = Object.entries(instance.perpMarketIndexes).map(([marketId, index]) => ({
    marketId,
    address: derivePerpMarket(instance, index),
  }));
  const quoteAddress = deriveSpotMarket(instance, instance.quoteSpotMarketIndex);
  const perpAddresses = entries.map(({ address }) => address);
  const fixed = [deriveState(instance), quoteAddress, ...perpAddresses];
  const firstMarket = 2;
  let knownOracles: readonly Address[] | undefined;

  async function marketOracles(): Promise<readonly Address[]> {
    if (knownOracles !== undefined) return knownOracles;
    const { accounts } = await chain.accounts(perpAddresses);
    knownOracles = accounts.map(
      (account) => requireOwned(instance, perpMarketLayout, account).amm.oracle,
    );
    return knownOracles;
  }

  async function priceAccounts(): Promise<readonly Address[]> {
    const [prices, { accounts }] = await Promise.all([
      marketOracles(),
      chain.accounts([quoteAddress]),
    ]);
    const quoteMarket = requireOwned(instance, spotMarketLayout, accounts[0]);
    return [...quoteOracles(quoteMarket), ...prices];
  }

  async function readAccounts(addresses: readonly Address[]) {
    const pages = Array.from({ length: Math.ceil(addresses.length / READ_LIMIT) }, (_, page) =>
      chain.accounts(addresses.slice(page * READ_LIMIT, (page + 1) * READ_LIMIT)),
    );
    const answers = await Promise.all(pages);
    return {
      slot: answers.reduce(
        (least, { slot }) => (slot < least ? slot : least),
        answers[0]?.slot ?? 0n,
      ),
      accounts: answers.flatMap(({ accounts }) => accounts),
    };
  }

  return {
    priceAccounts,
    async read(users) {
      const prices = await marketOracles();
      const { slot, accounts } = await readAccounts([...fixed, ...prices, ...users]);
      const state = requireOwned(instance, stateLayout, accounts[0]);
      const markets = entries.map(({ marketId, address }, at): MarketReading => {
        const market = requireOwned(instance, perpMarketLayout, accounts[firstMarket + at]);
        if (market.amm.oracle !== prices[at]) {
          knownOracles = undefined;
          throw new ChainUnavailableError(`The oracle of ${marketId} has just changed`);
        }
        const readPrice = (): MarketPrice => {
          const oracle = accounts[fixed.length + at] ?? null;
          if (oracle === null) throw new ChainUnavailableError(`No price account of ${marketId}`);
          const { postedSlot, ...price } = readMarketPrice(oracle.data, market.amm.oracleSource);
          return { ...price, isFillable: slot - postedSlot <= state.slotsBeforeStaleForAmm };
        };
        return {
          marketId,
          address,
          market,
          // Lazy: one market without a price does not block trading in the others
          get price() {
            return readPrice();
          },
        };
      });
      return {
        slot,
        state,
        quoteMarket: requireOwned(instance, spotMarketLayout, accounts[1]),
        markets,
        users: accounts
          .slice(fixed.length + prices.length)
          .map((account) => readOwned(instance, userLayout, account)),
      };
    },
    marketAccounts(reading, marketIndexes) {
      const wanted = new Set(marketIndexes);
      const touched = reading.markets.filter(({ market }) => wanted.has(market.marketIndex));
      const { quoteMarket } = reading;
      return {
        oracles: [...quoteOracles(quoteMarket), ...touched.map(({ market }) => market.amm.oracle)],
        spotMarkets: [quoteAddress],
        perpMarkets: touched.map(({ address }) => address),
      };
    },
  };
}
