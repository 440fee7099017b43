import type { Chain } from "../../solana/chain.ts";
import { type JupiterOptions, unixSeconds } from "./jupiter-options.ts";
import type { CustodyPort, TradingPort } from "../ports.ts";
import type { VenueAccount } from "../venue.ts";
import { type AssetPrices, accountStateOf, marketsNeeded } from "./account-state.ts";
import { readIssuedTokens } from "../issuer-powers.ts";
import { assetOf, quoteToken, tokenAccountOf } from "./instance.ts";
import { excessLimits } from "./excess-limits.ts";
import { sharedAddresses } from "./shared-addresses.ts";
import { listLimits } from "./list-limits.ts";
import {
  type VaultReading,
  tradingKeyRentLamports,
  readVault,
  readVaults,
} from "./vault-reader.ts";
import { SWAP_COSTS } from "./trading-costs.ts";

/** The venue's read calls: state of the router, prices, and one vault. */
export function readingPart(
  options: JupiterOptions,
): Pick<TradingPort, "health" | "price" | "tradingCosts" | "accountState" | "accountStates"> &
  Pick<CustodyPort, "sharedAddresses" | "readCustody"> {
  const { chain, router, prices, instance } = options;
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

  async function statesOn(on: Chain, accounts: readonly VenueAccount[]) {
    const readings = await readVaults(on, instance, accounts);
    const pairs = accounts.flatMap((account, at) => {
      const reading = readings[at];
      return reading === undefined ? [] : [[account, reading] as const];
    });
    const known = await pricesFor(pairs);
    return pairs.map(([account, reading]) =>
      accountStateOf(reading, account, known, unixSeconds(options)),
    );
  }

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
