import {
  associatedTokenAddress,
  createAssociatedTokenIdempotent,
} from "../../../solana/programs/associated-token.ts";
import { transferLamports } from "../../../solana/programs/system.ts";
import { closeTokenAccount, transferTokens } from "../../../solana/programs/token.ts";
import type { PlanStep } from "../../../venues/plan-step.ts";
import type { CustodyContext } from "../account/custody-context.ts";
import { MIN_RECOVERED_LAMPORTS, vaultReserve } from "../account/custody-limits.ts";
import type { CustodyState } from "../account/read-custody.ts";

/** Compute units of emptying a vault; 84,195 measured. */
const RECOVERY_COMPUTE_UNITS = 600_000;

/** The transaction that empties the vault, with the amounts returned to the owner's wallet. */
export interface Recovery {
  readonly step: PlanStep;
  readonly lamports: bigint;
  readonly quoteUnits: bigint;
}

/** Returns the vault's recoverable lamports, without its reserve. */
export function recoverableLamports(state: CustodyState): bigint {
  const lamports = state.vaultLamports + state.vaultQuoteLamports - vaultReserve(state.rents.floor);
  return lamports >= MIN_RECOVERED_LAMPORTS ? lamports : 0n;
}

/**
 * Plans moving everything in the vault itself to the owner's wallet: remaining quote units, the quote account's rent
 * and the SOL above the reserve. Null when the amount is not worth a transaction.
 */
export function planRecovery(context: CustodyContext, state: CustodyState): Recovery | null {
  const { account, venue } = context;
  const { mint } = venue.instance.quote;
  const lamports = recoverableLamports(state);
  if (lamports === 0n && state.vaultQuote === 0n) return null;
  const vaultTokens = associatedTokenAddress(account.vault, mint);
  const ownerTokens = associatedTokenAddress(account.owner, mint);
  const hasTokens = state.vaultQuote > 0n;
  return {
    lamports,
    quoteUnits: state.vaultQuote,
    step: {
      label: "Recover the vault's SOL",
      before:
        hasTokens && !state.ownerHasQuoteAccount
          ? [createAssociatedTokenIdempotent({ payer: account.owner, owner: account.owner, mint })]
          : [],
      asVault: [
        ...(hasTokens
          ? [
              transferTokens(
                { source: vaultTokens, destination: ownerTokens, authority: account.vault },
                state.vaultQuote,
              ),
            ]
          : []),
        ...(state.vaultHasQuoteAccount
          ? [
              closeTokenAccount({
                account: vaultTokens,
                destination: account.vault,
                authority: account.vault,
              }),
            ]
          : []),
        ...(lamports > 0n
          ? [transferLamports({ from: account.vault, to: account.owner }, lamports)]
          : []),
      ],
      after: [],
      computeUnitLimit: RECOVERY_COMPUTE_UNITS,
      expects: [
        ...(hasTokens
          ? [
              {
                kind: "token_delta",
                account: ownerTokens,
                mint,
                delta: state.vaultQuote,
              } as const,
            ]
          : []),
        ...(state.vaultHasQuoteAccount
          ? [{ kind: "account_gone", address: vaultTokens } as const]
          : []),
      ],
    },
  };
}
