import type { Address, Signature } from "@solana/kit";
import type { LedgerRecord, PracticeLedger } from "./ledger.ts";
import type { AccountState } from "./runtime/account-state.ts";
import { createOverlay } from "./runtime/account-state.ts";

/** State seen by a job: the ledger including the changes of earlier jobs. */
export interface CommitState {
  account(address: Address): AccountState;
  hasLanded(signature: Signature): boolean;
  /** Writes accounts without a transaction. */
  put(changes: ReadonlyMap<Address, AccountState>): void;
  /** Lands a transaction: writes its accounts and its record. */
  land(changes: ReadonlyMap<Address, AccountState>, record: LedgerRecord): void;
}

/** A job on the newest state; what it lands is durable once its promise resolves. */
export type CommitJob<T> = (state: CommitState) => T;

export interface CommitQueue {
  submit<T>(job: CommitJob<T>): Promise<T>;
}

interface Waiting {
  readonly job: CommitJob<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

type Result = { readonly value: unknown } | { readonly error: unknown };

/** Largest number of jobs per commit, so that a commit's lock is held briefly when many transactions arrive at once. */
const MAX_JOBS_PER_COMMIT = 64;

function runJobs(jobs: readonly Waiting[], ledger: PracticeLedger): Promise<readonly Result[]> {
  return ledger.transact((view) => {
    const accounts = createOverlay((address) => view.account(address));
    const records = new Map<Signature, LedgerRecord>();
    const put = (changes: ReadonlyMap<Address, AccountState>): void => {
      for (const [address, next] of changes) accounts.set(address, next);
    };
    const state: CommitState = {
      account: (address) => accounts.get(address),
      hasLanded: (signature) => records.has(signature) || view.hasLanded(signature),
      put,
      land(changes, record) {
        put(changes);
        records.set(record.outcome.signature, record);
      },
    };
    const value = jobs.map(({ job }): Result => {
      try {
        return { value: job(state) };
      } catch (error) {
        return { error };
      }
    });
    return { value, change: { accounts: accounts.changes, records: [...records.values()] } };
  });
}

/** Creates a queue that batches jobs arriving during a commit into the next one. */
export function createCommitQueue(ledger: PracticeLedger): CommitQueue {
  const waiting: Waiting[] = [];
  let isRunning = false;

  const drain = async (): Promise<void> => {
    isRunning = true;
    while (waiting.length > 0) {
      const jobs = waiting.splice(0, MAX_JOBS_PER_COMMIT);
      try {
        const results = await runJobs(jobs, ledger);
        for (const [index, { resolve, reject }] of jobs.entries()) {
          const result = results[index];
          if (result === undefined) reject(new Error("A job has no result"));
          else if ("error" in result) reject(result.error);
          else resolve(result.value);
        }
      } catch (error) {
        for (const { reject } of jobs) reject(error);
      }
    }
    isRunning = false;
  };

  return {
    submit: <T>(job: CommitJob<T>) =>
      new Promise<T>((resolve, reject) => {
        waiting.push({ job, reject, resolve: (value) => resolve(value as T) });
        if (!isRunning) void drain();
      }),
  };
}
