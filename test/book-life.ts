import type { Address, Instruction, Signature } from "@solana/kit";
import { expect } from "vitest";
import type { BookBalance } from "../src/domain/ledger/balance.ts";
import { sumEntries } from "../src/domain/ledger/balance.ts";
import type { HeldByMarket } from "../src/domain/ledger/book.ts";
import type { BookedEntry } from "../src/domain/ledger/entry.ts";
import { checkBook } from "../src/server/ledger/check-book.ts";
import { listTransactions } from "../src/server/ledger/list-transactions.ts";
import { readEntries } from "../src/server/ledger/read-entries.ts";
import type { Chain, TransactionOutcome } from "../src/solana/chain.ts";
import type { Keypair } from "../src/solana/keys.ts";
import { transferChecked } from "../src/solana/programs/token.ts";
import { deriveUserStats } from "../src/venues/drift/pdas.ts";
import { DRIFT_V2_PROFILE as IDS } from "../src/venues/drift/profile.ts";
import type { VenueAccount } from "../src/venues/venue.ts";
import { lamportsOf, tokensOf } from "./chain-bench.ts";
import {
  bring,
  DOLLAR,
  type ExchangeBench,
  nameDelegate,
  open,
  ownerUsdc,
  settle,
  SOL_BASE,
  START_PRICE,
  take,
  trade,
  userAddress,
  withSol,
} from "./drift-cases/case.ts";
import { openVenue } from "./drift-cases/venue-bench.ts";
import { delegate, multisig, owner, putDollars, stranger } from "./squads-bench.ts";
import { associatedTokenAddress } from "../src/solana/programs/associated-token.ts";

/** One thing that happens in a life; `part` is a share of what is possible, of 100. */
export type LifeEvent =
  | { readonly kind: "deposit" | "withdraw" | "gift"; readonly part: number }
  | { readonly kind: "long" | "short"; readonly part: number }
  | { readonly kind: "settle"; readonly isStranger: boolean }
  | { readonly kind: "price"; readonly percent: number }
  | { readonly kind: "wait"; readonly hours: number };

/** How the transactions of a life are read. */
export interface Reading {
  /** Order in which the accounts are asked for, and whether what is known is read once more. */
  readonly isReversed: boolean;
  readonly readsTwice: boolean;
  /** Which transaction the node leaves out at first, of 100; null: none. */
  readonly hidden: number | null;
}

/** The owner's key stands for the vault; the multisig is nobody's here. */
const ACCOUNT: VenueAccount = {
  owner: stranger.address,
  multisig,
  vault: owner.address,
  delegate: delegate.address,
  subAccountId: 0,
};

const WATCHED = [owner.address, ownerUsdc, userAddress, deriveUserStats(IDS, owner.address)];
const GIFTS = associatedTokenAddress(stranger.address, IDS.quote.mint);

/** Lives a life on the exchange and demands that its book equals the chain after every reading. */
export async function liveAndBook(
  bench: ExchangeBench,
  events: readonly LifeEvent[],
  reading: Reading,
): Promise<void> {
  const { venue, clock } = await openVenue(bench, ACCOUNT);
  const landed: TransactionOutcome[] = [];
  let price = START_PRICE;

  const send = async (key: Keypair, instructions: readonly Instruction[]): Promise<void> => {
    bench.nextSlot();
    const before = await state();
    const { error, logs } = await bench.send([key], instructions);
    const after = await state();
    const slot = BigInt(landed.length + 1);
    landed.push({
      signature: `transaction-${slot}` as Signature,
      slot,
      blockTime: (await bench.time()).unixTime,
      error: error === null ? null : { kind: "transaction", name: "AccountNotFound" },
      logs,
      feeLamports: 0n,
      lamportDeltas: new Map(
        WATCHED.map((address, at) => [
          address,
          (after.lamports[at] ?? 0n) - (before.lamports[at] ?? 0n),
        ]),
      ),
      tokenDeltas: [
        {
          account: ownerUsdc,
          mint: IDS.quote.mint,
          owner: owner.address,
          delta: after.tokens - before.tokens,
        },
      ],
    });
  };
  const state = async () => ({
    lamports: await Promise.all(WATCHED.map((address) => lamportsOf(bench, address))),
    tokens: await tokensOf(bench, ownerUsdc),
  });

  await putDollars(bench, owner.address, 2_000n * DOLLAR);
  await putDollars(bench, stranger.address, 1_000n * DOLLAR);
  const opening = (await venue.readBook(ACCOUNT)).balances;
  await send(owner, [...open(), nameDelegate(), bring(1_000n * DOLLAR)]);

  for (const event of events) await live(event);

  async function live(event: LifeEvent): Promise<void> {
    const dollars = (part: number) => BigInt(part) * 5n * DOLLAR + 1n;
    switch (event.kind) {
      case "deposit":
        return send(owner, [bring(dollars(event.part))]);
      case "withdraw":
        return send(owner, [take(dollars(event.part), withSol, true)]);
      case "gift": {
        const amount = BigInt(event.part) + 1n;
        const accounts = { source: GIFTS, destination: ownerUsdc, owner: stranger.address };
        return send(stranger, [gift(accounts, amount)]);
      }
      case "long":
      case "short": {
        const size = (BigInt(event.part) * 6n * SOL_BASE) / 100n / 100_000_000n;
        const base = (size === 0n ? 1n : size) * 100_000_000n;
        return send(delegate, [trade(event.kind, base, { price })]);
      }
      case "settle":
        return send(event.isStranger ? stranger : delegate, [
          settle(event.isStranger ? stranger : delegate),
        ]);
      case "price":
        price += (price * BigInt(event.percent)) / 100n;
        return bench.setPrice(price);
      case "wait":
        clock.ms += event.hours * 3_600_000;
        bench.advance(event.hours * 3_600);
        return bench.setPrice(price);
    }
  }

  const book = memoryBook(opening);
  const hidden =
    reading.hidden === null
      ? null
      : (landed[Math.floor((reading.hidden * landed.length) / 101)] ?? null);
  if (hidden !== null) {
    await book.read(nodeOf(landed.filter((each) => each !== hidden)), reading);
    const hasMoved = venue.bookTransaction(ACCOUNT, hidden).length > 0;
    if (hasMoved) {
      const { differences } = await book.check(venue);
      expect(differences, `without ${hidden.signature}`).not.toEqual([]);
    }
    const found = await book.read(nodeOf(landed), { ...reading, readsTwice: false });
    expect(found).toEqual(hasMoved ? [hidden.signature] : []);
  } else {
    await book.read(nodeOf(landed), reading);
  }
  const count = book.entries().length;
  await book.read(nodeOf(landed), { ...reading, readsTwice: true });
  expect(book.entries().length).toBe(count);
  const { differences, interest } = await book.check(venue);
  expect(differences).toEqual([]);
  // A unit or two for each rounding; nobody borrows here
  for (const { amount } of interest) expect(amount >= -BigInt(2 * landed.length)).toBe(true);

  /** The store's rules in memory: entries are unique, what is held goes on from the newest. */
  function memoryBook(first: readonly BookBalance[]) {
    const kept = new Map<string, BookedEntry>();
    let held: HeldByMarket = new Map();
    const opened = first.map((balance): BookedEntry => ({
      ...balance,
      kind: "opening",
      index: 0,
      realised: null,
      signature: `opening ${balance.place} ${balance.asset}`,
      slot: 0n,
      atMs: 0,
    }));
    for (const entry of opened) kept.set(keyOf(entry), entry);
    const signatures = () => new Set([...kept.values()].map(({ signature }) => signature));
    return {
      entries: () => [...kept.values()],
      async read(node: Chain, { isReversed, readsTwice }: Reading): Promise<readonly string[]> {
        const addresses = venue.bookAddresses(ACCOUNT);
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
        const booked = readEntries(
          { feePayers: [], clock },
          { venue, account: ACCOUNT },
          held,
          fresh,
        );
        // What is read a second time meets the unique key
        const again = readEntries(
          { feePayers: [], clock },
          { venue, account: ACCOUNT },
          held,
          outcomes,
        );
        held = booked.held;
        for (const entry of [...booked.entries, ...again.entries]) {
          if (!kept.has(keyOf(entry))) kept.set(keyOf(entry), entry);
        }
        const added = new Set(booked.entries.map(({ signature }) => signature));
        return [...added];
      },
      async check(by: typeof venue) {
        const sums = sumEntries(kept.values());
        return checkBook(await by.readBook(ACCOUNT), sums, [], {
          index: null,
          roundings: BigInt(2 * kept.size + 2),
        });
      },
    };
  }
}

const keyOf = ({ signature, kind, index }: BookedEntry): string => `${signature} ${kind} ${index}`;

function gift(
  { source, destination, owner: from }: Record<"source" | "destination" | "owner", Address>,
  amount: bigint,
): Instruction {
  return transferChecked(
    { source, destination, mint: IDS.quote.mint, authority: from },
    { amount, decimals: IDS.quote.decimals },
  );
}

/** A node that lists each transaction under every account, newest first. */
function nodeOf(landed: readonly TransactionOutcome[]): Chain {
  const newestFirst = landed.map(({ signature }) => signature).toReversed();
  const node: Pick<Chain, "progress" | "historyStart" | "signaturesFor" | "transaction"> = {
    historyStart: async () => 0n,
    progress: async () => ({ slot: 1_000_000n, blockHeight: 0n }),
    async signaturesFor(_address, limit, { before } = {}) {
      const at = before === undefined ? 0 : newestFirst.indexOf(before) + 1;
      return newestFirst.slice(at, at + limit);
    },
    transaction: async (signature) =>
      landed.find((outcome) => outcome.signature === signature) ?? null,
  };
  return { ...node, withOneNode: (work) => work(node as Chain) } as Chain;
}
