import type { Address, Signature } from "@solana/kit";
import type { TransactionOutcome } from "../solana/chain.ts";
import type { AccountState } from "./runtime/account-state.ts";

/** A landed transaction with every address it named. */
export interface LedgerRecord {
  readonly outcome: TransactionOutcome;
  readonly touched: readonly Address[];
}

/** State of the practice chain at one moment, read synchronously. */
export interface LedgerView {
  /** Returns the account, or undefined when it does not exist. */
  account(address: Address): AccountState | undefined;
  accounts(): Iterable<readonly [Address, AccountState]>;
  /** Returns whether a transaction of the last few minutes landed; older ones may be unknown. */
  hasLanded(signature: Signature): boolean;
}

/** Writes of one commit. Accounts without lamports are removed. */
export interface LedgerChange {
  readonly accounts: ReadonlyMap<Address, AccountState>;
  readonly records: readonly LedgerRecord[];
}

/** Result of a `transact` run: the change to commit, and a value for the caller. */
export interface LedgerDecision<T> {
  readonly change: LedgerChange;
  readonly value: T;
}

/**
 * Storage of the practice chain.
 *
 * Several processes may share one ledger: among all of them one `transact` follows the other, each atomic and durable.
 * Every call may reject when the store is unavailable; after a rejected `transact` it is unknown whether it committed.
 */
export interface PracticeLedger {
  /** Stores the genesis time (Unix milliseconds) on the first call ever; every later call returns the stored one. */
  open(genesisAtMs: number): Promise<number>;
  /** Returns a view at least as new as every commit acknowledged before the call. */
  view(): Promise<LedgerView>;
  /** Commits what the function decided on the newest state; it runs again where another process was faster. */
  transact<T>(run: (view: LedgerView) => LedgerDecision<T>): Promise<T>;
  /** Returns the outcomes in the order asked; undefined where no such transaction landed. */
  outcomes(signatures: readonly Signature[]): Promise<readonly (TransactionOutcome | undefined)[]>;
  /**
   * Returns signatures newest first, only those before a named transaction if there is one; empty when the address does
   * not have that transaction.
   */
  signaturesFor(address: Address, limit: number, before?: Signature): Promise<readonly Signature[]>;
}
