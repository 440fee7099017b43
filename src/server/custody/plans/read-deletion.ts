import { formatDecimal } from "../../../domain/amount.ts";
import type { VenueProfile } from "../../../domain/venue-profile.ts";
import type { PlanStep } from "../../../venues/plan-step.ts";
import type { VenueCustody } from "../../../venues/ports.ts";
import type { CustodyContext } from "../account/custody-context.ts";
import {
  formatSol,
  quoteDust,
  MIN_RECOVERED_LAMPORTS,
  vaultReserve,
} from "../account/custody-limits.ts";
import type { CustodyState } from "../account/read-custody.ts";
import {
  associatedTokenAddress,
  createAssociatedTokenIdempotent,
} from "../../../solana/programs/associated-token.ts";
import { transferLamports } from "../../../solana/programs/system.ts";
import { closeTokenAccount, transferTokens } from "../../../solana/programs/token.ts";

/** Compute units of emptying a vault; 84,195 measured. */
const RECOVERY_COMPUTE_UNITS = 600_000;

/** The transaction that empties the vault, with the amounts returned to the owner's wallet. */
interface Recovery {
  readonly step: PlanStep;
  readonly lamports: bigint;
  readonly quoteUnits: bigint;
}

/** Returns the vault's recoverable lamports, without its reserve. */
function recoverableLamports(state: CustodyState): bigint {
  const lamports = state.vaultLamports + state.vaultQuoteLamports - vaultReserve(state.rents.floor);
  return lamports >= MIN_RECOVERED_LAMPORTS ? lamports : 0n;
}

/**
 * Plans moving everything in the vault itself to the owner's wallet: remaining quote units, the quote account's rent
 * and the SOL above the reserve. Null when the amount is not worth a transaction.
 */
function planRecovery(context: CustodyContext, state: CustodyState): Recovery | null {
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

/** State on chain that decides whether an agent's records can be deleted. */
export interface DeletionFacts {
  /** Quote base units to withdraw first; 0 when only dust is left. */
  readonly funds: bigint;
  readonly custody: VenueCustody;
  /** The venue's next steps towards an empty, deleted account. */
  readonly tearDown: readonly PlanStep[];
  /** The account is empty and the venue does not delete it, or not yet: it stays, without a trading key. */
  readonly isKept: boolean;
  /** The recovery of the vault's present contents; null when it is not worth a transaction. */
  readonly recovery: Recovery | null;
}

/** Reads the deletion state of an agent. Throws `ChainUnavailableError`. */
export async function readDeletion(
  context: CustodyContext,
  state: CustodyState,
): Promise<DeletionFacts> {
  const { venue, account } = context;
  const [custody, figures, tearDown] = await Promise.all([
    venue.readCustody(account),
    venue.accountState(account),
    venue.planTearDown(account),
  ]);
  const { withdrawable, portfolioValue } = figures;
  const funds = withdrawable > portfolioValue ? withdrawable : portfolioValue;
  return {
    funds: funds > quoteDust(venue.instance.quote.decimals) ? funds : 0n,
    custody,
    tearDown,
    isKept: custody.account !== null && tearDown.length === 0 && custody.deletableAtMs !== null,
    recovery: planRecovery(context, state),
  };
}

/** Returns whether no funds remain that only the records lead to. Dust, which anybody can send, does not count. */
export function isCleared(
  facts: DeletionFacts,
  state: CustodyState,
  quoteDecimals: number,
): boolean {
  const isVenueDone =
    facts.custody.account === null || (facts.isKept && facts.custody.tradingKey === null);
  const isVaultEmpty =
    (facts.recovery?.lamports ?? 0n) <= state.vaultQuoteLamports &&
    state.vaultQuote <= quoteDust(quoteDecimals);
  return facts.funds === 0n && isVenueDone && isVaultEmpty;
}

/** Returns the text of the refusal for funds still at the venue. */
export function fundsSentence(context: CustodyContext, funds: bigint): string {
  const { symbol, decimals } = context.venue.instance.quote;
  return `Please withdraw all funds first. Current balance: ${formatDecimal(funds, decimals)} ${symbol}`;
}

/** Returns the text for an empty venue account that stays. */
export function keptSentence(
  { deletionByHand }: VenueProfile,
  { deletableAtMs, heldLamports }: VenueCustody,
): string {
  if (deletableAtMs === "never") {
    return `The exchange never deletes this subaccount, because somebody named it as his referrer: ${formatSol(heldLamports)} stay in it.`;
  }
  const day = new Date(deletableAtMs ?? 0).toISOString().slice(0, 10);
  const wait = `The exchange allows it from ${day}; until then ${formatSol(heldLamports)} stay in it.`;
  return deletionByHand === undefined ? wait : `${deletionByHand} ${wait}`;
}
