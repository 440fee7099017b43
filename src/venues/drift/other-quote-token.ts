import type { Chain } from "../../solana/chain.ts";
import { spotMarketLayout } from "./layout-spot-market.ts";
import { deriveSpotMarket } from "./pdas.ts";
import type { DriftProfile } from "./profile.ts";

/**
 * Says in one sentence that the exchange on this chain settles in another token than the profile's; null when it settles
 * in that one, or does not run here. Throws `ChainUnavailableError`.
 */
export async function otherQuoteToken(chain: Chain, profile: DriftProfile): Promise<string | null> {
  const { accounts } = await chain.accounts([
    deriveSpotMarket(profile, profile.quoteSpotMarketIndex),
  ]);
  const [account] = accounts;
  if (account == null || account.owner !== profile.programId) return null;
  const { mint, decimals } = spotMarketLayout.decode(account.data);
  const { quote } = profile;
  if (mint === quote.mint && decimals === quote.decimals) return null;
  return `the exchange on ${chain.network} settles in the token ${mint} with ${decimals} decimals; this version knows ${quote.symbol} ${quote.mint} with ${quote.decimals} there. Nothing was started.`;
}
