import { formatDecimal } from "../../../domain/amount.ts";
import type { VenueProfile } from "../../../domain/venue-profile.ts";
import type { PlanStep, VenueCustody } from "../../../venues/venue.ts";
import type { CustodyContext } from "../account/custody-context.ts";
import { formatSol, quoteDust } from "../account/custody-limits.ts";
import { planRecovery, type Recovery } from "./plan-recovery.ts";
import type { CustodyState } from "../account/read-custody.ts";

/** What stands between an agent and the deletion of its records, as the chain shows it. */
export interface DeletionFacts {
  /** Quote units that have to be withdrawn first; 0 when only dust is left. */
  readonly funds: bigint;
  readonly custody: VenueCustody;
  /** What the venue can do now towards an empty, deleted account. */
  readonly tearDown: readonly PlanStep[];
  /** The account is empty but younger than the venue deletes: it stays, without a trading key. */
  readonly isTooYoung: boolean;
  /** Emptying the vault as it stands now; null when nothing worth it is there. */
  readonly recovery: Recovery | null;
}

/** Reads how far an agent's deletion is. Throws `ChainUnavailableError`. */
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
    isTooYoung: custody.account !== null && tearDown.length === 0 && custody.deletableAtMs !== null,
    recovery: planRecovery(context, state),
  };
}

/** Says whether nothing is left that only the records lead to. Dust anybody can send does not count. */
export function isCleared(
  facts: DeletionFacts,
  state: CustodyState,
  quoteDecimals: number,
): boolean {
  const isVenueDone =
    facts.custody.account === null || (facts.isTooYoung && facts.custody.delegate === null);
  const isVaultEmpty =
    (facts.recovery?.lamports ?? 0n) <= state.vaultQuoteLamports &&
    state.vaultQuote <= quoteDust(quoteDecimals);
  return facts.funds === 0n && isVenueDone && isVaultEmpty;
}

/** Returns the refusal for funds that are still at the venue. */
export function fundsSentence(context: CustodyContext, funds: bigint): string {
  const { symbol, decimals } = context.venue.instance.quote;
  return `Please withdraw all funds first. Current balance: ${formatDecimal(funds, decimals)} ${symbol}`;
}

/** Returns what to say when the venue's account has to stay for now. */
export function tooYoungSentence(
  { deletionByHand }: VenueProfile,
  { deletableAtMs, heldLamports }: VenueCustody,
): string {
  const day = new Date(deletableAtMs ?? 0).toISOString().slice(0, 10);
  const wait = `The exchange allows it from ${day}; until then ${formatSol(heldLamports)} stay in it.`;
  return deletionByHand === undefined ? wait : `${deletionByHand} ${wait}`;
}
