import { formatDecimal } from "../../domain/amount.ts";
import type { LedgerDifference } from "../../domain/ledger/balance.ts";
import type { BookedEntry } from "../../domain/ledger/entry.ts";
import { clearCustodyFlag, insertCustodyFlag } from "../store/custody/custody-notices.ts";
import type { LedgerMismatch, LedgerMark, StoredDifference } from "../store/ledger/ledger-marks.ts";
import type { CustodyAgent } from "../store/custody/multisigs.ts";
import type { LedgerDeps } from "./ledger-deps.ts";

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
