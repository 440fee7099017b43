import type { Slots } from "./slots.ts";
import type { Address } from "@solana/kit";
import { PRACTICE_QUOTE_MINT, genesisAccounts } from "./genesis.ts";
import type { PracticeLedger } from "./ledger.ts";
import { PRACTICE_LOOKUP_TABLE, practiceTable } from "./practice-table.ts";
import { PROGRAMS } from "./all-programs.ts";
import type { AccountState, ReadAccount } from "./runtime/account-state.ts";
import { STAND_INS } from "./stand-ins.ts";

function allGenesisAccounts(unixTime: bigint): ReadonlyMap<Address, AccountState> {
  const accounts = new Map([
    ...genesisAccounts(PROGRAMS.values()),
    ...STAND_INS.flatMap((venue) => [...venue.accounts(unixTime)]),
    [PRACTICE_LOOKUP_TABLE, practiceTable()] as const,
  ]);
  const mint = accounts.get(PRACTICE_QUOTE_MINT);
  if (mint !== undefined) {
    const withPools = STAND_INS.reduce((made, venue) => venue.withPools(made), mint);
    accounts.set(PRACTICE_QUOTE_MINT, withPools);
  }
  return accounts;
}

/** Adds missing genesis accounts to the ledger and upgrades the venues' accounts to this version. */
export async function addGenesis(ledger: PracticeLedger, slots: Slots): Promise<void> {
  const genesis = allGenesisAccounts(slots.now().unixTime);
  await ledger.transact((view) => {
    const missing = [...genesis].filter(([address]) => view.account(address) === undefined);
    const { unixTime } = slots.now();
    const stored: ReadAccount = (address) => view.account(address);
    const upgraded = STAND_INS.flatMap((venue) => [
      ...(venue.upgraded?.(venue.accounts(unixTime), stored) ?? []),
    ]);
    return {
      value: undefined,
      change: { accounts: new Map([...upgraded, ...missing]), records: [] },
    };
  });
}
