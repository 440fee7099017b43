import type { Address } from "@solana/kit";
import { type Account, type Chain, ChainUnavailableError } from "./chain.ts";
import { decodeLookupTable, LOOKUP_TABLE_PROGRAM } from "./programs/address-lookup-table.ts";
import type { LookupTables } from "./programs/squads-message.ts";

/** Returns the addresses of a table that a transaction may use now; null for a missing or deactivated table. */
function usableAddresses(account: Account | null | undefined, slot: bigint) {
  if (account?.owner !== LOOKUP_TABLE_PROGRAM) return null;
  const table = decodeLookupTable(account.data);
  if (table === null || !table.isInUse) return null;
  return slot > table.extendedSlot ? table.addresses : table.addresses.slice(0, table.extendedFrom);
}

/**
 * Returns the named lookup tables as read from the chain: the content of a table is never taken from a third party.
 *
 * Addresses added in the present slot are left out, because no transaction may use them yet. Throws
 * `ChainUnavailableError` for a table that does not exist or is deactivated.
 */
export async function readTables(
  chain: Chain,
  addresses: readonly Address[],
): Promise<LookupTables> {
  if (addresses.length === 0) return {};
  const { slot, accounts } = await chain.accounts(addresses);
  return Object.fromEntries(
    addresses.map((table, at) => {
      const found = usableAddresses(accounts[at], slot);
      if (found === null) throw new ChainUnavailableError(`Lookup table ${table} cannot be used`);
      return [table, found];
    }),
  );
}
