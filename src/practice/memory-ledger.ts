import type { Address, Signature } from "@solana/kit";
import type { LedgerRecord, LedgerView, PracticeLedger } from "./ledger.ts";
import type { AccountState } from "./runtime/account-state.ts";

/** Builds a ledger that lives as long as the process. */
export function createMemoryLedger(): PracticeLedger {
  let genesisAtMs: number | undefined;
  const accounts = new Map<Address, AccountState>();
  const records = new Map<Signature, LedgerRecord>();
  const touched = new Map<Address, Signature[]>();
  const view: LedgerView = {
    account: (address) => accounts.get(address),
    hasLanded: (signature) => records.has(signature),
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
        records.set(signature, record);
        for (const address of record.touched) {
          const known = touched.get(address);
          if (known === undefined) touched.set(address, [signature]);
          else known.push(signature);
        }
      }
      return value;
    },
    records: async (signatures) => signatures.map((signature) => records.get(signature)),
    signaturesFor: async (address, limit) =>
      (touched.get(address) ?? []).slice(-limit).toReversed(),
  };
}
