import type { Address } from "@solana/kit";
import { parseAddress } from "../../solana/base58.ts";
import { type Chain, ChainUnavailableError } from "../../solana/chain.ts";
import { associatedTokenAddress } from "../../solana/programs/associated-token.ts";
import { tokenAccountCodec } from "../../solana/programs/token.ts";

/** Reads a wallet's lamports and quote base units; null when the chain could not be read. */
export async function readOwner(
  chain: Chain,
  owner: string,
  quoteMint: Address,
): Promise<{ readonly ownerLamports: bigint; readonly ownerQuote: bigint } | null> {
  const wallet = parseAddress(owner);
  try {
    const { accounts } = await chain.accounts([wallet, associatedTokenAddress(wallet, quoteMint)]);
    const [account, quote] = accounts;
    return {
      ownerLamports: account?.lamports ?? 0n,
      ownerQuote: quote ? tokenAccountCodec.decode(quote.data).amount : 0n,
    };
  } catch (error) {
    if (error instanceof ChainUnavailableError) return null;
    throw error;
  }
}
