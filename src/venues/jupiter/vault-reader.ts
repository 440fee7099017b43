import type { Address } from "@solana/kit";
import { type Chain, ChainUnavailableError } from "../../solana/chain.ts";
import type { SpendingLimit } from "../../solana/programs/squads-accounts.ts";
import { tokenBalance } from "../ledger-reading.ts";
import type { VenueAccount } from "../venue.ts";
import {
  type JupiterInstance,
  quoteToken,
  type SpotAsset,
  type SpotToken,
  tokenAccountOf,
} from "./instance.ts";
import { limitAddress, readLimit } from "./spending-limits.ts";

/** One token of a vault: balances of the vault and its trading key, and the trading key's remaining limit. */
export interface TokenReading {
  /** Null where the vault has no account of the token. */
  readonly held: bigint | null;
  /** Balance of the trading key's own account, which is empty between trades; null where there is none. */
  readonly heldByTradingKey: bigint | null;
  readonly limit: SpendingLimit | null;
  /** Rent held by the trading key's account and the limit; 0 for missing accounts. */
  readonly tradingKeyLamports: bigint;
  readonly limitLamports: bigint;
}

/** A vault's tokens at one slot. */
export interface VaultReading {
  readonly slot: bigint;
  readonly quote: TokenReading;
  readonly assets: readonly (TokenReading & { readonly asset: SpotAsset })[];
}

/** Largest number of addresses per read (`getMultipleAccounts`). */
const READ_LIMIT = 100;

const ACCOUNTS_PER_TOKEN = 3;

/** Reads vaults, with every token of the instance and its limit, in as few calls as possible. */
export async function readVaults(
  chain: Chain,
  instance: JupiterInstance,
  accounts: readonly VenueAccount[],
): Promise<readonly VaultReading[]> {
  const quote = quoteToken(instance);
  const tokens = [quote, ...instance.assets];
  const addressesOf = (account: VenueAccount): Address[] =>
    tokens.flatMap((token) => [
      tokenAccountOf(account.vault, token),
      tokenAccountOf(account.tradingKey, token),
      limitAddress(account, token.mint),
    ]);
  const perPage = Math.floor(READ_LIMIT / (tokens.length * ACCOUNTS_PER_TOKEN));
  const pages = Array.from({ length: Math.ceil(accounts.length / perPage) }, (_, page) =>
    accounts.slice(page * perPage, (page + 1) * perPage),
  );
  const readings = await Promise.all(
    pages.map(async (page) => {
      const { slot, accounts: found } = await chain.accounts(page.flatMap(addressesOf));
      return page.map((_, place): VaultReading => {
        const first = place * tokens.length * ACCOUNTS_PER_TOKEN;
        const readToken = (token: SpotToken, at: number): TokenReading => {
          const start = first + at * ACCOUNTS_PER_TOKEN;
          return {
            held: tokenBalance(found[start], token),
            heldByTradingKey: tokenBalance(found[start + 1], token),
            limit: readLimit(found[start + 2]),
            tradingKeyLamports: found[start + 1]?.lamports ?? 0n,
            limitLamports: found[start + 2]?.lamports ?? 0n,
          };
        };
        return {
          slot,
          quote: readToken(quote, 0),
          assets: instance.assets.map((asset, at) => ({ asset, ...readToken(asset, at + 1) })),
        };
      });
    }),
  );
  return readings.flat();
}

/**
 * Returns the rent of the trading key's own token accounts, one per token it ever traded, which only that key could
 * close.
 */
export function tradingKeyRentLamports({ quote, assets }: VaultReading): bigint {
  const open = [quote, ...assets].filter(({ heldByTradingKey }) => heldByTradingKey !== null);
  return open.reduce((sum, { tradingKeyLamports }) => sum + tradingKeyLamports, 0n);
}

/** Reads one vault. */
export async function readVault(
  chain: Chain,
  instance: JupiterInstance,
  account: VenueAccount,
): Promise<VaultReading> {
  const [reading] = await readVaults(chain, instance, [account]);
  if (reading === undefined) throw new ChainUnavailableError("The vault could not be read");
  return reading;
}
