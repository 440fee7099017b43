import type { Address } from "@solana/kit";
import { compareBalances } from "../../domain/ledger/balance.ts";
import type { BookedEntry, LedgerMovement } from "../../domain/ledger/entry.ts";
import { recordMovements } from "../../domain/ledger/record-movements.ts";
import type { LedgerReading } from "../../venues/ledger-reading.ts";
import type { CustodyContext } from "../custody/account/custody-context.ts";
import type { Db } from "../store/postgres/db.ts";
import { readHeld, sumLedger, sumInterest } from "../store/ledger/ledger.ts";
import {
  findBookedEnds,
  findFirstBooked,
  isOpeningDue,
  keepLedgerMark,
  type LedgerMark,
  readLedgerMark,
  setOpeningDue,
} from "../store/ledger/ledger-marks.ts";
import { countOfKind, insertEntries, lockLedger } from "../store/ledger/ledger-writes.ts";
import type { LedgerDeps } from "./ledger-deps.ts";
import { explainByCredits, type PossibleCredit } from "./book-credits.ts";
import { checkLedger, isChecked } from "./check-ledger.ts";
import type { ListedTransactions } from "./list-transactions.ts";
import { readEntries, toPending } from "./read-entries.ts";
import { troubleOf } from "./ledger-mismatch.ts";

/** Data read of an agent's funds, to book and compare. */
export interface LedgerRound {
  /** Previous read position of the ledger; null the first time. */
  readonly mark: LedgerMark | null;
  readonly content: string;
  readonly reading: LedgerReading;
  readonly listed: ListedTransactions;
}

/**
 * Books final transactions and compares the sums with the chain, in one transaction; null when another server was
 * first.
 */
export async function updateLedgers(
  deps: LedgerDeps,
  context: CustodyContext,
  round: LedgerRound,
): Promise<{ readonly mark: LedgerMark; readonly entries: readonly BookedEntry[] } | null> {
  const { agentId } = context.agent;
  const { mark: before, content, listed } = round;
  const { finalSlot, outcomes, unread } = listed;
  const { account } = context;
  return deps.db.transaction().execute(async (tx) => {
    await lockLedger(tx, agentId);
    const present = await readLedgerMark(tx, agentId);
    if ((present?.slot ?? null) !== (before?.slot ?? null)) return null;
    const final = outcomes.filter(({ slot }) => slot <= finalSlot);
    const waiting = outcomes.filter(({ slot }) => slot > finalSlot);
    const { entries, held } = readEntries(deps, context, await readHeld(tx, agentId), final);
    await insertEntries(tx, context.agent, entries, deps.clock.now());
    const read: LedgerMark = {
      ...(before ?? UNREAD),
      slot: unread.length === 0 ? finalSlot : (before?.slot ?? 0n),
      content,
      searchedAtMs: deps.clock.now(),
      pending: readEntries(deps, context, held, waiting).entries.map(toPending),
    };
    const isCut = before === null && isHistoryCut(listed, account.multisig);
    if (isCut || (await isOpeningDue(tx, agentId))) {
      // What is not booked yet would be in the opening balance too
      const isBooked = waiting.length === 0 && unread.length === 0;
      if (isBooked) await bookOpening(tx, deps, context, round);
      await setOpeningDue(tx, agentId, !isBooked);
    }
    // While a transaction is pending the chain shows more than is booked, so the check is inconclusive
    const { mark, credits } =
      waiting.length > 0
        ? { mark: read, credits: [] }
        : await compare(tx, deps, context, round, read, entries.length);
    await keepLedgerMark(tx, agentId, mark);
    return { mark, entries: [...entries, ...credits] };
  });
}

const UNREAD = {
  balancedSlot: null,
  balancedSignature: null,
  balancedAtMs: null,
  interestIndex: null,
  difference: null,
} as const;

/**
 * Returns whether the node has pruned the agent's beginning: the transaction that paid for its multisig is not listed.
 */
function isHistoryCut({ historyStart, outcomes }: ListedTransactions, multisig: Address): boolean {
  if (historyStart === 0n) return false;
  return !outcomes.some(({ lamportDeltas }) => (lamportDeltas.get(multisig) ?? 0n) > 0n);
}

/** Books what the chain shows beyond the booked transactions, as of the first of them. */
async function bookOpening(
  tx: Db,
  { clock }: LedgerDeps,
  { agent, venue }: CustodyContext,
  { reading }: LedgerRound,
): Promise<void> {
  const first = await findFirstBooked(tx, agent.agentId);
  const sums = await sumLedger(tx, agent.agentId);
  // Interest is booked after it, as usual
  const grown = reading.accruing.map((each) => ({
    ...each,
    amount: each.principal ?? each.amount,
  }));
  const shown = [...reading.balances, ...grown];
  const movements = compareBalances(sums.filter(isChecked), shown).map(
    ({ booked, onChain, ...account }): LedgerMovement => {
      const amount = onChain - booked;
      const { place, asset, decimals } = account;
      const isHeld = place !== "vault_sol" && asset !== venue.instance.quote.symbol;
      const base = isHeld ? { base: { marketId: asset, decimals, amount } } : {};
      return { ...account, kind: "opening", amount, ...base };
    },
  );
  const at = first ?? { signature: OPENING, slot: reading.slot, atMs: clock.now() };
  const { entries } = recordMovements(await readHeld(tx, agent.agentId), movements);
  const booked = entries.map((entry): BookedEntry => ({ ...entry, ...at }));
  await insertEntries(tx, agent, booked, clock.now());
}

/** Stands for the transactions of an account that no node has any more. */
const OPENING = "before the first known transaction";

interface Comparison {
  readonly mark: LedgerMark;
  /** What other parties credited, found by comparing. */
  readonly credits: readonly BookedEntry[];
}

async function compare(
  tx: Db,
  deps: LedgerDeps,
  context: CustodyContext,
  { mark: before, reading, listed }: LedgerRound,
  read: LedgerMark,
  entryCount: number,
): Promise<Comparison> {
  const { agentId } = context.agent;
  const nowMs = deps.clock.now();
  const { differences, interest } = checkLedger(
    reading,
    await sumLedger(tx, agentId),
    await sumInterest(tx, agentId),
    // An entry may change one balance twice, and each change may be rounded
    { index: read.interestIndex, roundings: BigInt(2 * entryCount + 2) },
  );
  const isUnread = listed.unread.length > 0;
  const explained = isUnread
    ? null
    : explainByCredits(differences, creditsOf(context, listed), nowMs);
  if (explained === null) {
    const ends = await findBookedEnds(tx, agentId, before?.balancedSlot ?? -1n);
    const difference = troubleOf(differences, {
      before: before?.difference ?? null,
      lastRight: read.balancedSignature,
      first: ends.firstAfter ?? listed.unread[0] ?? null,
      nowMs,
    });
    return { mark: { ...read, difference }, credits: [] };
  }
  const credits = await bookCredits(tx, deps, context, explained);
  const ends = await findBookedEnds(tx, agentId, before?.balancedSlot ?? -1n);
  await bookInterest(tx, deps, context.agent, interest, {
    signature: ends.last,
    slot: reading.slot,
  });
  const mark = {
    ...read,
    balancedSlot: listed.finalSlot,
    balancedSignature: ends.last,
    balancedAtMs: nowMs,
    interestIndex: reading.accruing.at(-1)?.index ?? null,
    difference: null,
  };
  return { mark, credits };
}

function creditsOf(
  { venue, account }: CustodyContext,
  { outcomes, finalSlot }: ListedTransactions,
): readonly PossibleCredit[] {
  return outcomes
    .filter(({ slot }) => slot <= finalSlot)
    .flatMap((outcome) =>
      (venue.possibleCredits?.(account, outcome) ?? []).map((movement) => ({ movement, outcome })),
    );
}

async function bookCredits(
  tx: Db,
  { clock }: LedgerDeps,
  { agent }: CustodyContext,
  explained: readonly Omit<BookedEntry, "index">[],
): Promise<readonly BookedEntry[]> {
  const entries: BookedEntry[] = [];
  for (const [at, credit] of explained.entries()) {
    const counted = await countOfKind(tx, agent.agentId, credit.signature, credit.kind);
    entries.push({ ...credit, index: counted + at });
  }
  await insertEntries(tx, agent, entries, clock.now());
  return entries;
}

/** Books interest, which has no transaction of its own, under the last transaction before it. */
async function bookInterest(
  tx: Db,
  { clock }: LedgerDeps,
  agent: CustodyContext["agent"],
  interest: readonly LedgerMovement[],
  last: { readonly signature: string | null; readonly slot: bigint },
): Promise<void> {
  if (interest.length === 0 || last.signature === null) return;
  const { signature, slot } = last;
  const counted = await countOfKind(tx, agent.agentId, signature, "interest");
  const entries = interest.map((movement, at): BookedEntry => ({
    ...movement,
    index: counted + at,
    realised: null,
    signature,
    slot,
    atMs: clock.now(),
  }));
  await insertEntries(tx, agent, entries, clock.now());
}
