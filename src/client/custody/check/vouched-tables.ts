import type { Address } from "@solana/kit";
import { deriveLookupTable } from "../../../solana/programs/address-lookup-table.ts";
import type { LookupTables } from "../../../solana/programs/squads-message.ts";

/** Lookup table as claimed by the server. */
export interface ClaimedTable {
  readonly address: Address;
  readonly addresses: readonly Address[];
}

/**
 * Returns the claimed tables as far as this page believes them: an address it does not know itself becomes one that
 * nothing has, so that it fits no place where a check expects a wallet, a vault or an account.
 *
 * What the page knows are programs, mints and the venue's own accounts, all of which the called programs verify; a
 * server that lies about them gets a transaction that fails on chain.
 */
export function vouchedTables(
  claimed: readonly ClaimedTable[],
  known: readonly Address[],
): LookupTables {
  return Object.fromEntries(
    claimed.map(({ address: table, addresses }) => [
      table,
      addresses.map((key, place) =>
        known.includes(key) ? key : deriveLookupTable(table, BigInt(place)).address,
      ),
    ]),
  );
}
