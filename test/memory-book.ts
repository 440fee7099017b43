import { expect } from "vitest";
import type { Clock } from "../src/domain/clock.ts";
import type { LedgerBalance } from "../src/domain/ledger/balance.ts";
import type { HeldByMarket } from "../src/domain/ledger/record-movements.ts";
import type { BookedEntry } from "../src/domain/ledger/entry.ts";
import { checkLedger, isChecked } from "../src/server/ledger/check-ledger.ts";
import { listTransactions } from "../src/server/ledger/list-transactions.ts";
import { readEntries } from "../src/server/ledger/read-entries.ts";
import type { Chain, TransactionOutcome } from "../src/solana/chain.ts";
import type { Venue } from "../src/venues/ports.ts";
import type { VenueAccount } from "../src/venues/venue.ts";
import { sumEntries } from "./sum-entries.ts";

/** How the transactions of a life are read. */
export interface Reading {
  /** Order in which the accounts are asked for, and whether what is known is read once more. */
  readonly isReversed: boolean;
  readonly readsTwice: boolean;
  /** Position of the transaction the node omits at first, as a percentage of all; null: none. */
  readonly hidden: number | null;
}

/** A finished history of an agent on a venue: opening balances and landed transactions. */
export interface LivedLife {
  readonly venue: Venue;
  readonly account: VenueAccount;
  readonly clock: Clock;
  /** Balances before the first known transaction. */
  readonly opening: readonly LedgerBalance[];
  /** Oldest first. */
  readonly landed: readonly TransactionOutcome[];
  /** Returns a node that knows only these transactions. */
  readonly nodeOf: (landed: readonly TransactionOutcome[]) => Chain;
}

/**
 * Expects the ledger of a history to equal the chain exactly in every order of reading: what is read twice is booked once,
 * and a transaction that a node omitted shows as a difference and is found by its signature.
 */
export async function expectBookedHowever(life: LivedLife, reading: Reading): Promise<void> {
  const { landed, nodeOf } = life;
  const book = createMemoryBook(life);
  const { hidden: share } = reading;
  const hidden =
    share === null ? null : (landed[Math.floor((share * landed.length) / 101)] ?? null);
  if (hidden === null) {
    await book.read(nodeOf(landed), reading);
  } else {
    await book.read(nodeOf(landed.filter((each) => each !== hidden)), reading);
    const missing = book.entriesOf(hidden);
    if (sumEntries(missing.filter(isChecked)).some(({ amount }) => amount !== 0n)) {
      const { differences } = await book.check();
      expect(differences, `without ${hidden.signature}`).not.toEqual([]);
    }
    const found = await book.read(nodeOf(landed), { ...reading, readsTwice: false });
    expect(found).toEqual(missing.length > 0 ? [hidden.signature] : []);
  }
  const count = book.count();
  await book.read(nodeOf(landed), { ...reading, readsTwice: true });
  expect(book.count()).toBe(count);
  const { differences, interest } = await book.check();
  expect(differences).toEqual([]);
  // A unit or two for each rounding; nobody borrows here
  for (const { amount } of interest) expect(amount >= -BigInt(2 * landed.length)).toBe(true);
}

const keyOf = ({ signature, kind, index }: BookedEntry): string => `${signature} ${kind} ${index}`;

/** An in-memory ledger with the store's rules: entries are unique, held amounts continue from the newest. */
function createMemoryBook({ venue, account, clock, opening }: LivedLife) {
  const deps = { feePayers: [], clock };
  const context = { venue, account };
  const kept = new Map<string, BookedEntry>();
  let held: HeldByMarket = new Map();
  const opened = opening.map((balance): BookedEntry => ({
    ...balance,
    kind: "opening",
    index: 0,
    realised: null,
    realisedFees: null,
    signature: `opening ${balance.place} ${balance.asset}`,
    slot: 0n,
    atMs: 0,
  }));
  for (const entry of opened) kept.set(keyOf(entry), entry);
  const signatures = () => new Set([...kept.values()].map(({ signature }) => signature));
  return {
    count: () => kept.size,
    entriesOf: (outcome: TransactionOutcome) => readEntries(deps, context, held, [outcome]).entries,
    async read(node: Chain, { isReversed, readsTwice }: Reading): Promise<readonly string[]> {
      const addresses = venue.bookAddresses(account);
      const { outcomes } = await listTransactions(
        node,
        isReversed ? addresses.toReversed() : addresses,
        {
          sinceSlot: 0n,
          seenSlot: 0n,
          commitment: "finalized",
          isKnown: async () => (readsTwice ? new Set<string>() : signatures()),
        },
      );
      const isNew = (signature: string) => !signatures().has(signature);
      const fresh = outcomes.filter(({ signature }) => isNew(signature));
      const booked = readEntries(deps, context, held, fresh);
      // What is read a second time meets the unique key
      const again = readEntries(deps, context, held, outcomes);
      held = booked.held;
      for (const entry of [...booked.entries, ...again.entries]) {
        if (!kept.has(keyOf(entry))) kept.set(keyOf(entry), entry);
      }
      return [...new Set(booked.entries.map(({ signature }) => signature))];
    },
    async check() {
      const sums = sumEntries(kept.values());
      return checkLedger(await venue.readLedger(account), sums, [], {
        index: null,
        roundings: BigInt(2 * kept.size + 2),
      });
    },
  };
}
