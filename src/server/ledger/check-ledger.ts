import type { TransactionOutcome } from "../../solana/chain.ts";
import { type BookedEntry, type LedgerMovement, accountKey } from "../../domain/ledger/entry.ts";
import {
  compareBalances,
  interestOf,
  type LedgerBalance,
  type LedgerDifference,
} from "../../domain/ledger/balance.ts";
import type { LedgerReading } from "../../venues/ledger-reading.ts";
import { formatDecimal } from "../../domain/amount.ts";
import { clearCustodyFlag, insertCustodyFlag } from "../store/custody/custody-notices.ts";
import type { LedgerMismatch, LedgerMark, StoredDifference } from "../store/ledger/ledger-marks.ts";
import type { CustodyAgent } from "../store/custody/multisigs.ts";
import type { LedgerDeps } from "./ledger-deps.ts";

/** Places outside of the agent's funds, which are not compared with the chain. */
const UNCHECKED: ReadonlySet<string> = new Set(["wallet", "platform"]);

/** Returns whether an account's entries are compared with the chain. */
export const isChecked = ({ place }: Pick<LedgerBalance, "place">): boolean =>
  !UNCHECKED.has(place);

/** Result of comparing the ledger with the chain. */
export interface LedgerCheck {
  /** Interest and rounding to book; after that the ledger is correct when no difference remains. */
  readonly interest: readonly LedgerMovement[];
  readonly differences: readonly LedgerDifference[];
}

/** Compares the sums of a ledger with the chain's state at one slot. */
export function checkLedger(
  reading: LedgerReading,
  booked: readonly LedgerBalance[],
  interestSums: readonly LedgerBalance[],
  since: { readonly index: bigint | null; readonly roundings: bigint },
): LedgerCheck {
  const sums = new Map(booked.filter(isChecked).map((balance) => [accountKey(balance), balance]));
  const interestByKey = new Map(interestSums.map((each) => [accountKey(each), each.amount]));
  const interest: LedgerMovement[] = [];
  const differences: LedgerDifference[] = [];
  for (const { principal, index, ...balance } of reading.accruing) {
    const key = accountKey(balance);
    const bookedAmount = sums.get(key)?.amount ?? 0n;
    sums.delete(key);
    const bookedInterest = interestByKey.get(key) ?? 0n;
    const found = interestOf(
      { booked: bookedAmount, bookedInterest, amount: balance.amount, principal, index },
      since,
    );
    if (found === null) {
      const isCounted = principal !== null && principal !== bookedAmount - bookedInterest;
      const { place, subAccount, market, asset, decimals, amount } = balance;
      differences.push({
        place,
        subAccount,
        market,
        asset,
        decimals,
        booked: isCounted ? bookedAmount - bookedInterest : bookedAmount,
        onChain: isCounted ? principal : amount,
      });
    } else if (found !== 0n) {
      interest.push({ ...balance, kind: "interest", amount: found });
    }
  }
  return {
    interest,
    differences: [...compareBalances([...sums.values()], reading.balances), ...differences],
  };
}

/** What a transaction may have credited to an agent, by the amounts it names without saying whose they are. */
export interface PossibleCredit {
  readonly movement: LedgerMovement;
  readonly outcome: Pick<TransactionOutcome, "signature" | "slot" | "blockTime">;
}

/**
 * Returns the entries of credits that explain every difference between ledger and chain; null when one is left over, is
 * a loss, or is more than such transactions gave.
 */
export function explainByCredits(
  differences: readonly LedgerDifference[],
  credits: readonly PossibleCredit[],
  nowMs: number,
): readonly Omit<BookedEntry, "index">[] | null {
  const entries: Omit<BookedEntry, "index">[] = [];
  for (const difference of differences) {
    const key = accountKey(difference);
    const possible = credits.filter(({ movement }) => accountKey(movement) === key);
    const last = possible.at(-1);
    const most = possible.reduce((sum, { movement }) => sum + movement.amount, 0n);
    const amount = difference.onChain - difference.booked;
    if (last === undefined || amount <= 0n || amount > most) return null;
    const { signature, slot, blockTime } = last.outcome;
    const atMs = blockTime === null ? nowMs : Number(blockTime) * 1_000;
    entries.push({
      ...last.movement,
      amount,
      realised: null,
      realisedFees: null,
      signature,
      slot,
      atMs,
    });
  }
  return entries;
}

/** Kind of the notice about a ledger mismatch. */
const KIND = "book";

/** Returns the mismatch a check found; it is confirmed when the previous check found it too. */
export function troubleOf(
  differences: readonly LedgerDifference[],
  known: {
    readonly before: LedgerMismatch | null;
    readonly lastRight: string | null;
    readonly first: string | null;
    readonly nowMs: number;
  },
): LedgerMismatch {
  return {
    sinceMs: known.before?.sinceMs ?? known.nowMs,
    firstSignature: known.before?.firstSignature ?? known.first,
    lastRightSignature: known.lastRight,
    accounts: differences.map(({ place, market, asset, decimals, booked, onChain }) => ({
      place,
      market,
      asset,
      decimals,
      booked: booked.toString(),
      onChain: onChain.toString(),
    })),
    isConfirmed: known.before !== null,
  };
}

/** Notifies the owner of a confirmed mismatch and of its end; logs entries that were found late. */
export async function reportMismatch(
  { db, clock, publisher, log }: LedgerDeps,
  { agentId, owner }: CustodyAgent,
  before: LedgerMark | null,
  after: LedgerMark,
  entries: readonly BookedEntry[],
): Promise<void> {
  const late = entries.filter(({ slot }) => before !== null && slot <= before.slot);
  if (late.length > 0) {
    const signatures = [...new Set(late.map(({ signature }) => signature))];
    log.warn({ agentId, signatures }, "transactions were missing from the book and are booked now");
  }
  const flag = { agentId, owner, atMs: clock.now() };
  const { difference } = after;
  if (difference === null) {
    await clearCustodyFlag(db, KIND, flag);
    return;
  }
  if (!difference.isConfirmed) return;
  const text = sentenceOf(difference);
  if (!(await insertCustodyFlag(db, KIND, { ...flag, key: text, text }))) return;
  log.warn({ agentId, difference }, "the book differs from the chain");
  publisher.publish(owner, { topic: "custody", id: agentId });
  publisher.publish(owner, { topic: "ledger", id: agentId });
}

const PLACE_WORDS: Readonly<Record<string, string>> = {
  vault: "in the vault",
  vault_sol: "in the vault (SOL for rent)",
  exchange: "at the exchange",
  position: "in the position",
};

function sentenceOf({ accounts, firstSignature }: LedgerMismatch): string {
  const parts = accounts.map(
    (account) =>
      `${PLACE_WORDS[account.place] ?? account.place} ${amountText(account, account.booked)} is booked and ${amountText(account, account.onChain)} is on chain`,
  );
  const where = firstSignature === null ? "" : ` It appears from transaction ${firstSignature} on.`;
  const what = parts.length === 0 ? "a transaction of this agent cannot be read" : parts.join("; ");
  return `The book of this agent does not add up: ${what}.${where} Figures from the book may be wrong until this is over.`;
}

const amountText = ({ decimals, asset }: StoredDifference, units: string): string =>
  `${formatDecimal(BigInt(units), decimals)} ${asset}`;
