import { createHash } from "node:crypto";
import type { Account, Chain } from "../../solana/chain.ts";
import type { LedgerReading } from "../../venues/ledger-reading.ts";
import { type CustodyContext, findContext } from "../custody/account/custody-context.ts";
import { type LedgerMark, readLedgerMark } from "../store/ledger/ledger-marks.ts";
import { listBooked } from "../store/ledger/ledger-writes.ts";
import type { CustodyAgent } from "../store/custody/multisigs.ts";
import { type ConcurrencyLimit, withoutLimit } from "../pacing/concurrency-limit.ts";
import type { LedgerDeps } from "./ledger-deps.ts";
import { updateLedgers } from "./update-ledgers.ts";
import { listTransactions } from "./list-transactions.ts";
import { markEquity } from "./mark-equity.ts";
import { reportMismatch } from "./ledger-mismatch.ts";

/** Search interval of a ledger with unchanged accounts, in milliseconds. */
const SEARCH_EVERY_MS = 10 * 60_000;

/**
 * Books an agent's finalized transactions after the last booked one and compares the ledger's sums with the chain.
 *
 * Several servers may run it at once: entries are unique, and a server that finds the ledger read further stops. Throws
 * `ChainUnavailableError`.
 */
export async function updateAgentLedger(
  deps: LedgerDeps,
  agent: CustodyAgent,
  {
    isLast = false,
    inTurn = withoutLimit,
  }: {
    readonly isLast?: boolean;
    /** When the transactions may be read and booked; the accounts are read at once, with those of other agents. */
    readonly inTurn?: ConcurrencyLimit;
  } = {},
): Promise<void> {
  const context = findContext(deps.networks, agent);
  if (context === null) return;
  const { venue, account, runtime } = context;
  const addresses = venue.bookAddresses(account);
  const [held, reading] = await Promise.all([
    runtime.chain.accounts(addresses),
    venue.readLedger(account),
  ]);
  await inTurn(() => bookSince(deps, context, { held, reading }, isLast));
}

/** The accounts of an agent's funds, and what they hold, as they were read. */
interface LedgerLook {
  readonly held: Awaited<ReturnType<Chain["accounts"]>>;
  readonly reading: LedgerReading;
}

async function bookSince(
  deps: LedgerDeps,
  context: CustodyContext,
  { held: { slot, accounts }, reading }: LedgerLook,
  isLast: boolean,
): Promise<void> {
  const { agent, venue, account, runtime } = context;
  const addresses = venue.bookAddresses(account);
  const mark = await readLedgerMark(deps.db, agent.agentId);
  const content = digestOf(accounts);
  if (mark !== null && isSettled(mark, content, deps.clock.now())) {
    if (mark.difference === null) {
      await markEquity(deps, context, { reading, entries: [], isWhole: true });
    }
    return;
  }
  const isSuspect = mark !== null && mark.difference !== null;
  const listed = await listTransactions(
    runtime.chain,
    addresses.filter((_, at) => mark === null || isSuspect || accounts[at] != null),
    {
      sinceSlot: firstSlot(mark),
      commitment: isLast ? "confirmed" : "finalized",
      seenSlot: slot > reading.slot ? slot : reading.slot,
      isKnown: (signatures) => listBooked(deps.db, agent.agentId, signatures),
    },
  );
  const kept = await updateLedgers(deps, context, { mark, content, reading, listed });
  if (kept === null) return;
  await reportMismatch(deps, agent, mark, kept.mark, kept.entries);
  if (kept.entries.length > 0 || kept.mark.pending.length !== (mark?.pending.length ?? 0)) {
    deps.publisher.publish(agent.owner, { topic: "ledger", id: agent.agentId });
  }
  const isWhole = kept.mark.pending.length === 0;
  // An agent that always has a transaction under way is valued as well, once its book was right
  const isRight = kept.mark.difference === null && (isWhole || kept.mark.balancedSlot !== null);
  if (isRight) await markEquity(deps, context, { reading, entries: kept.entries, isWhole });
}

/** Returns whether no new search is due; an unconfirmed mismatch is checked again at once. */
function isSettled(mark: LedgerMark, content: string, nowMs: number): boolean {
  if (mark.content !== content || mark.pending.length > 0) return false;
  return mark.difference?.isConfirmed !== false && nowMs - mark.searchedAtMs < SEARCH_EVERY_MS;
}

/** Returns the slot to read from: with a mismatch, the last correct one, because an entry may be missing. */
function firstSlot(mark: LedgerMark | null): bigint {
  if (mark === null) return 0n;
  return mark.difference === null ? mark.slot + 1n : (mark.balancedSlot ?? 0n);
}

function digestOf(accounts: readonly (Account | null)[]): string {
  const hash = createHash("sha256");
  for (const account of accounts) {
    if (account === null) hash.update("-");
    else {
      const { lamports, owner, data } = account;
      hash.update(`${lamports} ${owner} ${data.length} `).update(data);
    }
  }
  return hash.digest("hex");
}
