import type { PracticeLedger } from "../src/practice/ledger.ts";

/** A ledger that knows the sum of every account and of every fee it ever wrote. */
export interface CountingLedger extends PracticeLedger {
  /** Lamports of all accounts of the chain together. */
  totalLamports(): bigint;
  /** Fees of everything that landed. */
  feeLamports(): bigint;
}

export function countingLedger(ledger: PracticeLedger): CountingLedger {
  let total = 0n;
  let fees = 0n;
  return {
    ...ledger,
    transact: (run) =>
      ledger.transact((view) => {
        const decision = run(view);
        for (const [address, state] of decision.change.accounts) {
          total += state.lamports - (view.account(address)?.lamports ?? 0n);
        }
        for (const { outcome } of decision.change.records) fees += outcome.feeLamports;
        return decision;
      }),
    totalLamports: () => total,
    feeLamports: () => fees,
  };
}
