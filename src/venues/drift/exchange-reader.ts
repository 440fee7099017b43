import type { Address } from "@solana/kit";
import { type Chain, ChainUnavailableError } from "../../solana/chain.ts";
import type { MarketPrice } from "../ports.ts";
import type { MarketAccounts } from "./instructions.ts";
import { type DriftPerpMarket, perpMarketLayout } from "./layout-perp-market.ts";
import { type DriftSpotMarket, ORACLE_SOURCE, spotMarketLayout } from "./layout-spot-market.ts";
import { type DriftState, stateLayout } from "./layout-state.ts";
import { type DriftUser, isUsed, userLayout } from "./layout-user.ts";
import { readOwned, requireOwned } from "./owned-account.ts";
import { derivePerpMarket, deriveSpotMarket, deriveState } from "./pdas.ts";
import { type DriftInstance, marketName } from "./instance.ts";
import { lazerPriceLayout } from "./layout-oracle.ts";
import { priceUpdateLayout } from "../../solana/programs/pyth-receiver.ts";

/** One perpetual market with its price, from one read. Reading `price` throws where there is none. */
export interface MarketReading {
  readonly marketId: string;
  readonly address: Address;
  readonly market: DriftPerpMarket;
  readonly price: MarketPrice;
  /** Whether this product trades it; others are read only for users who have something in them. */
  readonly isTraded: boolean;
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

/**
 * Reads the traded markets together with the requested users and the markets these have anything in: whoever trades with
 * a user as his referrer has the exchange credit that user in a market of his choice.
 */
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

/** A market of the exchange, traded here or not. */
interface MarketEntry {
  readonly marketId: string;
  readonly address: Address;
}

/** Reads any number of accounts; the slot is that of the oldest answer. */
async function readAccounts(chain: Chain, addresses: readonly Address[]) {
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

/** Remembers the oracles of markets, which hardly ever change. */
function rememberOracles(chain: Chain, instance: DriftInstance) {
  const oracleOf = new Map<Address, Address>();
  return {
    async of(markets: readonly MarketEntry[]): Promise<readonly Address[]> {
      const asked = markets.flatMap(({ address }) => (oracleOf.has(address) ? [] : address));
      const { accounts } = asked.length === 0 ? { accounts: [] } : await chain.accounts(asked);
      for (const [at, address] of asked.entries()) {
        const { amm } = requireOwned(instance, perpMarketLayout, accounts[at]);
        oracleOf.set(address, amm.oracle);
      }
      return markets.map(({ address }) => oracleOf.get(address) ?? address);
    },
    forget: (market: Address) => void oracleOf.delete(market),
  };
}

/** Remembers in which markets that are not traded here users have something, so that they are read at once. */
function rememberOthers(traded: ReadonlySet<number>) {
  const othersOf = new Map<Address, readonly number[]>();
  return {
    of: (users: readonly Address[]): ReadonlySet<number> =>
      new Set(users.flatMap((address) => othersOf.get(address) ?? [])),
    note(users: readonly Address[], reading: ExchangeReading): void {
      for (const [at, address] of users.entries()) {
        const used = (reading.users[at]?.perpPositions ?? []).filter(isUsed);
        const others = used.flatMap(({ marketIndex }) =>
          traded.has(marketIndex) ? [] : marketIndex,
        );
        if (others.length > 0) othersOf.set(address, others);
        else othersOf.delete(address);
      }
    },
  };
}

/** Creates a reader. Oracle addresses are cached, so that each later read is one call per hundred accounts. */
export function createExchangeReader(chain: Chain, instance: DriftInstance): ExchangeReader {
  const traded = Object.entries(instance.perpMarketIndexes).map(([marketId, index]) => ({
    marketId,
    address: derivePerpMarket(instance, index),
  }));
  const tradedIndexes = new Set(Object.values(instance.perpMarketIndexes));
  const quoteAddress = deriveSpotMarket(instance, instance.quoteSpotMarketIndex);
  const fixed = [deriveState(instance), quoteAddress];
  const oracles = rememberOracles(chain, instance);
  const others = rememberOthers(tradedIndexes);

  async function priceAccounts(): Promise<readonly Address[]> {
    const [prices, { accounts }] = await Promise.all([
      oracles.of(traded),
      chain.accounts([quoteAddress]),
    ]);
    const quoteMarket = requireOwned(instance, spotMarketLayout, accounts[0]);
    return [...quoteOracles(quoteMarket), ...prices];
  }

  async function readWith(
    users: readonly Address[],
    otherIndexes: ReadonlySet<number>,
  ): Promise<ExchangeReading> {
    const entries: readonly MarketEntry[] = [
      ...traded,
      ...[...otherIndexes].map((index) => ({
        marketId: marketName(instance, index),
        address: derivePerpMarket(instance, index),
      })),
    ];
    const prices = await oracles.of(entries);
    const addresses = entries.map(({ address }) => address);
    const { slot, accounts } = await readAccounts(chain, [
      ...fixed,
      ...addresses,
      ...prices,
      ...users,
    ]);
    const state = requireOwned(instance, stateLayout, accounts[0]);
    const firstPrice = fixed.length + entries.length;
    const markets = entries.map(({ marketId, address }, at): MarketReading => {
      const market = requireOwned(instance, perpMarketLayout, accounts[fixed.length + at]);
      if (market.amm.oracle !== prices[at]) {
        oracles.forget(address);
        throw new ChainUnavailableError(`The oracle of ${marketId} has just changed`);
      }
      const readPrice = (): MarketPrice => {
        const oracle = accounts[firstPrice + at] ?? null;
        if (oracle === null) throw new ChainUnavailableError(`No price account of ${marketId}`);
        const { postedSlot, ...price } = readMarketPrice(oracle.data, market.amm.oracleSource);
        return { ...price, isFillable: slot - postedSlot <= state.slotsBeforeStaleForAmm };
      };
      return {
        marketId,
        address,
        market,
        isTraded: tradedIndexes.has(market.marketIndex),
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
        .slice(firstPrice + prices.length)
        .map((account) => readOwned(instance, userLayout, account)),
    };
  }

  return {
    priceAccounts,
    async read(users) {
      const known = others.of(users);
      const reading = await readWith(users, known);
      others.note(users, reading);
      const held = others.of(users);
      return [...held].every((index) => known.has(index)) ? reading : readWith(users, held);
    },
    marketAccounts(reading, marketIndexes) {
      const wanted = new Set(marketIndexes);
      const touched = reading.markets.filter(({ market }) => wanted.has(market.marketIndex));
      const { quoteMarket } = reading;
      const addressesOf = (isTraded: boolean) =>
        touched.flatMap((each) => (each.isTraded === isTraded ? each.address : []));
      return {
        oracles: [...quoteOracles(quoteMarket), ...touched.map(({ market }) => market.amm.oracle)],
        spotMarkets: [quoteAddress],
        perpMarkets: addressesOf(true),
        otherMarkets: addressesOf(false),
      };
    },
  };
}

const PRICE_DECIMALS = 6;

/** Assets per quoted unit: 1K and 1M feeds quote a thousand or a million tokens. */
const ASSETS_PER_UNIT: ReadonlyMap<number, bigint> = new Map([
  [ORACLE_SOURCE.pythPull, 1n],
  [ORACLE_SOURCE.pyth1kPull, 1_000n],
  [ORACLE_SOURCE.pyth1mPull, 1_000_000n],
  [ORACLE_SOURCE.pythLazer, 1n],
  [ORACLE_SOURCE.pythLazer1k, 1_000n],
  [ORACLE_SOURCE.pythLazer1m, 1_000_000n],
]);

interface Published {
  readonly price: bigint;
  readonly conf: bigint;
  readonly exponent: number;
  readonly publishedAtMs: bigint;
  readonly postedSlot: bigint;
}

/** A price with the slot its account was written at, from which the exchange computes its age. */
type OraclePrice = MarketPrice & { readonly postedSlot: bigint };

function scale(value: bigint, exponent: number): bigint {
  const shift = PRICE_DECIMALS + exponent;
  return shift >= 0 ? value * 10n ** BigInt(shift) : value / 10n ** BigInt(-shift);
}

function readPublished(data: Uint8Array, source: number): Published | null {
  const isLazer = source >= ORACLE_SOURCE.pythLazer;
  if (isLazer && lazerPriceLayout.matches(data)) {
    const update = lazerPriceLayout.decode(data);
    return { ...update, publishedAtMs: update.publishTime / 1_000n };
  }
  if (!isLazer && priceUpdateLayout.matches(data)) {
    const update = priceUpdateLayout.decode(data);
    return { ...update, publishedAtMs: update.publishTime * 1_000n };
  }
  return null;
}

/**
 * Decodes an oracle account to quote units with six decimals. `source` is the market's: pulled Pyth prices and Pyth
 * Lazer.
 *
 * Throws on every other source, on an account of another type, and on a price that is not positive.
 */
export function readMarketPrice(data: Uint8Array, source: number): OraclePrice {
  const assets = ASSETS_PER_UNIT.get(source);
  const published = assets === undefined ? null : readPublished(data, source);
  if (assets === undefined || published === null) {
    throw new Error(`The oracle account is of an unknown kind (source ${source})`);
  }
  const price = scale(published.price * assets, published.exponent);
  if (price <= 0n) throw new Error("The oracle holds no positive price");
  return {
    price,
    confidence: scale(published.conf * assets, published.exponent),
    // oxlint-disable-next-line house/no-float-money -- a time, not money
    publishedAtMs: Number(published.publishedAtMs),
    postedSlot: published.postedSlot,
  };
}
