import type { Address, Signature } from "@solana/kit";
import type { TransactionOutcome } from "../src/solana/chain.ts";
import type { LedgerView, PracticeLedger } from "../src/practice/ledger.ts";
import type { AccountState } from "../src/practice/runtime/account-state.ts";

/** Creates a ledger in memory, which lives as long as the process. */
export function createMemoryLedger(): PracticeLedger {
  let genesisAtMs: number | undefined;
  const accounts = new Map<Address, AccountState>();
  const outcomes = new Map<Signature, TransactionOutcome>();
  const touched = new Map<Address, Signature[]>();
  const view: LedgerView = {
    account: (address) => accounts.get(address),
    accounts: () => accounts,
    hasLanded: (signature) => outcomes.has(signature),
  };

  return {
    open: async (atMs) => (genesisAtMs ??= atMs),
    view: async () => view,
    async transact(run) {
      const { change, value } = run(view);
      for (const [address, state] of change.accounts) {
        if (state.lamports === 0n) accounts.delete(address);
        else accounts.set(address, state);
      }
      for (const record of change.records) {
        const { signature } = record.outcome;
        outcomes.set(signature, record.outcome);
        for (const address of record.touched) {
          const known = touched.get(address);
          if (known === undefined) touched.set(address, [signature]);
          else known.push(signature);
        }
      }
      return value;
    },
    outcomes: async (signatures) => signatures.map((signature) => outcomes.get(signature)),
    async signaturesFor(address, limit, before) {
      const all = touched.get(address) ?? [];
      const end = before === undefined ? all.length : Math.max(0, all.indexOf(before));
      return all.slice(Math.max(0, end - limit), end).toReversed();
    },
  };
}
