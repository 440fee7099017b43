import type { Address, Signature } from "@solana/kit";
import type { TransactionOutcome } from "../solana/chain.ts";
import type { AccountState } from "./runtime/account-state.ts";

/** A landed transaction and every address it named. */
export interface LedgerRecord {
  readonly outcome: TransactionOutcome;
  readonly touched: readonly Address[];
}

/** The practice chain's state at one moment, readable without waiting. */
export interface LedgerView {
  /** Returns the account, or undefined when nothing is there. */
  account(address: Address): AccountState | undefined;
  accounts(): Iterable<readonly [Address, AccountState]>;
  /** Returns whether a transaction of the last few minutes landed; older ones can be unknown here. */
  hasLanded(signature: Signature): boolean;
}

/** What one commit writes. Accounts without lamports disappear. */
export interface LedgerChange {
  readonly accounts: ReadonlyMap<Address, AccountState>;
  readonly records: readonly LedgerRecord[];
}

/** What a run of `transact` decided: the change to commit, and a value for the caller. */
export interface LedgerDecision<T> {
  readonly change: LedgerChange;
  readonly value: T;
}

/**
 * Where the practice chain keeps its state.
 *
 * Several processes may share one ledger: `transact` is exclusive among all of them, commits durably and is all or
 * nothing. Every call may reject when the store is away; after a rejected `transact` it is unknown whether it committed.
 */
export interface PracticeLedger {
  /** Fixes the genesis time (unix milliseconds) at the first call ever; every later call returns that first one. */
  open(genesisAtMs: number): Promise<number>;
  /** Returns a view at least as new as every commit that was answered before the call. */
  view(): Promise<LedgerView>;
  /** Runs the function alone on the newest state and commits what it decided. */
  transact<T>(run: (view: LedgerView) => LedgerDecision<T>): Promise<T>;
  /** Returns the outcomes in the order asked; undefined where no such transaction landed. */
  outcomes(signatures: readonly Signature[]): Promise<readonly (TransactionOutcome | undefined)[]>;
  /** Newest first, only what stands before a transaction where one is named; nothing behind one the address has not. */
  signaturesFor(address: Address, limit: number, before?: Signature): Promise<readonly Signature[]>;
}
