import type { Slots } from "./slots.ts";
import { type CommitQueue, createCommitQueue } from "./commit-queue.ts";
import { ChainUnavailableError, TransactionRefusedError } from "../solana/chain.ts";
import { sizeLimitOf } from "../solana/transaction.ts";
import type { PracticeLedger } from "./ledger.ts";
import type { PriceSource } from "./price-source.ts";
import { PROGRAMS } from "./all-programs.ts";
import type { ReadAccount } from "./runtime/account-state.ts";
import { executeTransaction } from "./runtime/execute-transaction.ts";
import { type WireTransaction, parseWireTransaction } from "./runtime/wire-transaction.ts";
import { STAND_INS } from "./stand-ins.ts";
import type { PracticeTime } from "./venue-stand-in.ts";

/** Shared parts of the practice chain's calls: its ledger, its time and transaction execution. */
export interface PracticeMachine {
  readonly ledger: PracticeLedger;
  readonly slots: Slots;
  readonly queue: CommitQueue;
  /** Returns accounts as of a time: prices move and markets settle between transactions. */
  asKept(account: ReadAccount, time: PracticeTime): ReadAccount;
  execute(wire: WireTransaction, account: ReadAccount): ExecutedAt;
}

/** The result of an execution and its time. */
export interface ExecutedAt {
  readonly time: PracticeTime;
  readonly execution: ReturnType<typeof executeTransaction>;
}

/** Creates the shared parts on an open ledger. */
export function createPracticeMachine(
  ledger: PracticeLedger,
  slots: Slots,
  prices: PriceSource,
): PracticeMachine {
  const queue = createCommitQueue(ledger);
  const asKept = (account: ReadAccount, time: PracticeTime): ReadAccount =>
    STAND_INS.reduce((read, venue) => venue.live(read, prices, time), account);

  const execute = (wire: WireTransaction, account: ReadAccount) => {
    const time = slots.now();
    const read = asKept(account, time);
    return { time, execution: executeTransaction({ wire, read, programs: PROGRAMS, time }) };
  };

  return { ledger, slots, queue, asKept, execute };
}

/** Waits for the ledger. Throws `ChainUnavailableError` when it is unavailable. */
export async function answered<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw new ChainUnavailableError("The practice ledger did not answer", { cause });
  }
}

/** Parses a transaction as a node does before further checks. Throws `TransactionRefusedError`. */
export const parse = (transaction: Uint8Array): WireTransaction => {
  const tooLarge = transaction.length > sizeLimitOf(transaction);
  const wire = tooLarge ? undefined : parseWireTransaction(transaction);
  if (wire !== undefined) return wire;
  const name = tooLarge ? "TransactionTooLarge" : "SanitizeFailure";
  throw new TransactionRefusedError({ kind: "transaction", name }, []);
};
