import type { Chain } from "../../solana/chain.ts";
import { spotMarketLayout } from "./layout-spot-market.ts";
import { deriveSpotMarket } from "./pdas.ts";
import type { DriftInstance } from "./instance.ts";

/**
 * Returns a sentence when the exchange on this chain settles in another token than the instance's; null when it settles
 * in the instance's or does not exist here. Throws `ChainUnavailableError`.
 */
export async function otherQuoteToken(
  chain: Chain,
  instance: DriftInstance,
): Promise<string | null> {
  const { accounts } = await chain.accounts([
    deriveSpotMarket(instance, instance.quoteSpotMarketIndex),
  ]);
  const [account] = accounts;
  if (account == null || account.owner !== instance.programId) return null;
  const { mint, decimals } = spotMarketLayout.decode(account.data);
  const { quote } = instance;
  if (mint === quote.mint && decimals === quote.decimals) return null;
  return `the exchange on ${chain.network} settles in the token ${mint} with ${decimals} decimals; this version knows ${quote.symbol} ${quote.mint} with ${quote.decimals} there. Nothing was started.`;
}
