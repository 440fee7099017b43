import { type AccountReading, smallerOf, toReading } from "../../domain/order/signing-budget.ts";
import type { Chain } from "../../solana/chain.ts";
import { type JupiterOptions, unixSeconds } from "./jupiter-options.ts";
import type { CustodyPort, TradingPort, VenueLimit } from "../ports.ts";
import { readTwice } from "../order-signing.ts";
import type { VenueAccount } from "../venue.ts";
import { type AssetPrices, accountStateOf, marketsNeeded } from "./account-state.ts";
import { readIssuedTokens } from "../issuer-powers.ts";
import {
  assetOf,
  quoteToken,
  tokenAccountOf,
  type JupiterInstance,
  type SpotToken,
  sharedAddresses,
} from "./instance.ts";
import {
  type VaultReading,
  tradingKeyRentLamports,
  readVault,
  readVaults,
} from "./vault-reader.ts";
import type { KnownTradingCosts } from "../../domain/trading-costs.ts";
import { SPENDING_PERIOD, type SpendingLimit } from "../../solana/programs/squads-accounts.ts";
import { limitAddress, remainingOf, isOurLimit, MAX_DAILY_LIMIT } from "./spending-limits.ts";
import { formatDecimal } from "../../domain/amount.ts";

interface NamedLimit {
  readonly name: string;
  readonly token: SpotToken;
  readonly limit: SpendingLimit | null;
  /** Whether the agent's present settings need a limit for this token. */
  readonly isWanted: boolean;
}

/**
 * Returns one sentence for each spending limit that differs from the agent's set-up: left from an earlier asset, for
 * another key or destination than its trading key's own, or implausibly large.
 */
function excessLimits(
  instance: JupiterInstance,
  account: VenueAccount,
  reading: VaultReading,
): readonly string[] {
  const limits: readonly NamedLimit[] = [
    {
      name: instance.quote.symbol,
      token: quoteToken(instance),
      limit: reading.quote.limit,
      isWanted: true,
    },
    ...reading.assets.map(({ asset, limit }) => ({
      name: asset.marketId,
      token: asset,
      limit,
      isWanted: asset.marketId === account.marketId,
    })),
  ];
  return limits.flatMap((each) => {
    const fault = each.limit === null ? null : faultOf(instance, account, each, each.limit);
    if (each.limit === null || fault === null) return [];
    const amount = `${formatDecimal(each.limit.amount, each.token.decimals)} ${each.name}`;
    return [`The spending limit of ${amount} ${fault}. Update the spending limits to replace it.`];
  });
}

function faultOf(
  instance: JupiterInstance,
  account: VenueAccount,
  { token, isWanted }: NamedLimit,
  limit: SpendingLimit,
): string | null {
  if (!isWanted) return "is left from an asset this agent no longer trades";
  if (limit.destinations.length === 0) return "may be drawn to any place";
  if (!isOurLimit(limit, account, token.mint)) {
    return "is for another key, place or period than this agent's";
  }
  const isQuote = token.mint === instance.quote.mint;
  return isQuote && limit.amount > MAX_DAILY_LIMIT ? "is larger than any agent's may be" : null;
}

const PERIODS: Readonly<Record<number, VenueLimit["period"]>> = {
  [SPENDING_PERIOD.oneTime]: "once",
  [SPENDING_PERIOD.day]: "day",
  [SPENDING_PERIOD.week]: "week",
  [SPENDING_PERIOD.month]: "month",
};

/** Returns all spending limits of a vault on chain, ours or not. `nowSeconds` is Unix time. */
function listLimits(
  instance: JupiterInstance,
  account: VenueAccount,
  reading: VaultReading,
  nowSeconds: bigint,
): readonly VenueLimit[] {
  const tokens = [
    { ...reading.quote, ...quoteToken(instance), symbol: instance.quote.symbol },
    ...reading.assets.map(({ asset, ...rest }) => ({
      ...rest,
      ...asset,
      symbol: asset.marketId,
    })),
  ];
  return tokens.flatMap(({ limit, mint, decimals, symbol }) => {
    if (limit === null) return [];
    const period = PERIODS[limit.period];
    if (period === undefined) throw new Error(`Unknown period ${limit.period}`);
    return [
      {
        symbol,
        decimals,
        amount: limit.amount,
        remaining: remainingOf(limit, nowSeconds),
        period,
        destinations: limit.destinations,
        account: limitAddress(account, mint),
      },
    ];
  });
}

/**
 * Assumed costs of swapping: the router publishes no figures of a market, only quotes for single orders. Fees of the
 * pools are in the quoted price, and verified orders carry none of the router's.
 */
const SWAP_COSTS: KnownTradingCosts = {
  feePpm: 0,
  halfSpreadPpm: 500,
  impactPpm: 200,
  fundingPpmPerDay: 0,
  maintenancePpm: 0,
  minBaseSize: 1n,
  baseStep: 1n,
  sources: {
    fee: "Orders with a fee of the router are refused here; what pools charge is in the price",
    spread: "Assumption: 0.05%, what pools of large markets charge. Set it to what your fills show",
    impact: "Assumption: 0.02% for 10,000. Thin markets move further",
    funding: "Spot: there is none",
    minimum: "Spot: no smallest size",
  },
};

/** Creates a reader of accounts' states on a chain. */
function stateReader(options: Pick<JupiterOptions, "prices" | "instance" | "clock">) {
  const { prices, instance } = options;
  async function pricesFor(
    pairs: readonly (readonly [VenueAccount, VaultReading])[],
  ): Promise<AssetPrices> {
    const needed = new Set(
      pairs.flatMap(([account, reading]) => marketsNeeded(reading, account, prices)),
    );
    const entries = [...needed].map(
      async (marketId) => [marketId, await prices.price(marketId)] as const,
    );
    return new Map(await Promise.all(entries));
  }

  return async (on: Chain, accounts: readonly VenueAccount[]) => {
    const readings = await readVaults(on, instance, accounts);
    const pairs = accounts.flatMap((account, at) => {
      const reading = readings[at];
      return reading === undefined ? [] : [[account, reading] as const];
    });
    const known = await pricesFor(pairs);
    return pairs.map(([account, reading]) =>
      accountStateOf(reading, account, known, unixSeconds(options)),
    );
  };
}

/** Creates the signer's reader of a vault: the smaller of two reads, each through a chain of its own. */
export function vaultReader(
  readings: readonly [Chain, Chain],
  options: Pick<JupiterOptions, "prices" | "instance" | "clock">,
): (account: VenueAccount) => Promise<AccountReading> {
  const statesOn = stateReader(options);
  const readOnce = async (chain: Chain, account: VenueAccount) => {
    const [state] = await statesOn(chain, [account]);
    if (state === undefined) throw new Error("One account was asked for and none was answered");
    // A vault does not tell deposits: what an order costs is then bounded by its worst price alone
    return toReading(state, state.cash ?? 0n);
  };
  return async (account) => {
    const [first, second] = await readTwice(readings, (by) => readOnce(by, account));
    return smallerOf(first, second);
  };
}

/** The venue's read calls: state of the router, prices, and one vault. */
export function readingPart(
  options: JupiterOptions,
): Pick<TradingPort, "health" | "price" | "tradingCosts" | "accountState" | "accountStates"> &
  Pick<CustodyPort, "sharedAddresses" | "readCustody"> {
  const { chain, router, prices, instance } = options;
  const statesOn = stateReader(options);
  return {
    accountStates: (accounts) => statesOn(chain, accounts),
    async health() {
      const { accounts } = await chain.accounts([instance.programId]);
      if (accounts[0] == null) {
        return { status: "retired", reason: "Jupiter does not run on this network." };
      }
      const assets = instance.assets.map(({ marketId, mint }) => ({ symbol: marketId, mint }));
      const issued = await readIssuedTokens(chain, [instance.quote, ...assets]);
      return { ...(await router.health()), issued };
    },
    sharedAddresses: async () => sharedAddresses(instance),
    price: async (marketId) => prices.price(assetOf(instance, marketId).marketId),
    tradingCosts: async (marketId) => {
      assetOf(instance, marketId);
      return SWAP_COSTS;
    },
    async accountState(account, on = chain) {
      const [state] = await statesOn(on, [account]);
      if (state === undefined) throw new Error("One account was asked for and none was answered");
      return state;
    },
    async readCustody(account) {
      const reading = await readVault(chain, instance, account);
      const { quote } = reading;
      return {
        account: quote.limit === null ? null : tokenAccountOf(account.vault, quoteToken(instance)),
        tradingKey: quote.limit?.members[0] ?? null,
        heldLamports: 0n,
        deletableAtMs: null,
        unrecoverableLamports: tradingKeyRentLamports(reading),
        limits: listLimits(instance, account, reading, unixSeconds(options)),
        assets: reading.assets.flatMap(({ asset: { marketId, decimals }, held }) =>
          held === null || held === 0n ? [] : [{ marketId, decimals, held }],
        ),
        excessPermissions: excessLimits(instance, account, reading),
      };
    },
  };
}
