import type { Address } from "@solana/kit";
import type { OwnerAddress } from "../../../domain/ids.ts";
import { parseAddress } from "../../../solana/parse-address.ts";
import { type Account, type Chain, ChainUnavailableError } from "../../../solana/chain.ts";
import { associatedTokenAddress } from "../../../solana/programs/associated-token.ts";
import { tokenAccountCodec } from "../../../solana/programs/token.ts";
import type { VaultAsset } from "../../../venues/venue.ts";

/** Holdings of a wallet, in base units. */
export interface OwnerHoldings {
  readonly ownerLamports: bigint;
  readonly ownerQuote: bigint;
  /** The requested assets that the wallet holds. */
  readonly assets: readonly { readonly asset: VaultAsset; readonly held: bigint }[];
}

const amountOf = (account: Account | null | undefined): bigint =>
  account == null ? 0n : tokenAccountCodec.decode(account.data).amount;

/** Reads a wallet's lamports, quote token and assets; null when the chain could not be read. */
export async function readOwner(
  chain: Chain,
  owner: OwnerAddress,
  quoteMint: Address,
  wanted: readonly VaultAsset[] = [],
): Promise<OwnerHoldings | null> {
  const wallet = parseAddress(owner);
  try {
    const { accounts } = await chain.accounts([
      wallet,
      associatedTokenAddress(wallet, quoteMint),
      ...wanted.map(({ mint, tokenProgram }) => associatedTokenAddress(wallet, mint, tokenProgram)),
    ]);
    const [account, quote, ...others] = accounts;
    return {
      ownerLamports: account?.lamports ?? 0n,
      ownerQuote: amountOf(quote),
      assets: wanted
        .map((asset, at) => ({ asset, held: amountOf(others[at]) }))
        .filter(({ held }) => held > 0n),
    };
  } catch (error) {
    if (error instanceof ChainUnavailableError) return null;
    throw error;
  }
}
