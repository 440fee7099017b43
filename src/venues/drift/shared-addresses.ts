import type { Address } from "@solana/kit";
import type { DriftInstance } from "./instance.ts";
import { ASSOCIATED_TOKEN_PROGRAM } from "../../solana/programs/associated-token.ts";
import { SQUADS_PROGRAM } from "../../solana/programs/squads.ts";
import { RENT_SYSVAR, SYSTEM_PROGRAM } from "../../solana/programs/system.ts";
import { TOKEN_PROGRAM } from "../../solana/programs/token.ts";
import {
  deriveState,
  deriveSigner,
  deriveSpotMarket,
  deriveSpotMarketVault,
  derivePerpMarket,
} from "./pdas.ts";

/**
 * Returns the addresses that all agents' transactions share, for the deployment's lookup table. Only withdrawing beside
 * an open position needs the table to fit; on mainnet the others need it to leave space for the wallet's own
 * assertions.
 */
export function sharedAddresses(
  instance: DriftInstance,
  oracles: readonly Address[],
): readonly Address[] {
  return [
    instance.programId,
    SQUADS_PROGRAM,
    TOKEN_PROGRAM,
    ASSOCIATED_TOKEN_PROGRAM,
    SYSTEM_PROGRAM,
    RENT_SYSVAR,
    instance.quote.mint,
    deriveState(instance),
    deriveSigner(instance),
    deriveSpotMarket(instance, instance.quoteSpotMarketIndex),
    deriveSpotMarketVault(instance, instance.quoteSpotMarketIndex),
    ...Object.values(instance.perpMarketIndexes).map((index) => derivePerpMarket(instance, index)),
    ...oracles,
  ];
}
