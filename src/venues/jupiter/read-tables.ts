import { type Address, address, getAddressDecoder, getU64Decoder } from "@solana/kit";
import { type Chain, ChainUnavailableError } from "../../solana/chain.ts";
import type { LookupTables } from "../../solana/programs/squads-message.ts";

/** The program that keeps lookup tables. */
const LOOKUP_TABLE_PROGRAM = address("AddressLookupTab1e1111111111111111111111111");

/** Where a table's addresses begin, and where the slot stands at which it was taken out of use. */
const HEADER_BYTES = 56;
const DEACTIVATION_OFFSET = 4;
const IN_USE = 2n ** 64n - 1n;

/** Returns the addresses a lookup table's data holds, or null when it is taken out of use. */
function readTable(data: Uint8Array): readonly Address[] | null {
  if (data.length < HEADER_BYTES) return null;
  if (getU64Decoder().read(data, DEACTIVATION_OFFSET)[0] !== IN_USE) return null;
  const count = Math.floor((data.length - HEADER_BYTES) / 32);
  const decoder = getAddressDecoder();
  return Array.from({ length: count }, (_, at) => decoder.read(data, HEADER_BYTES + at * 32)[0]);
}

/**
 * Returns the named lookup tables as the chain has them: what a router says a table holds is not believed.
 *
 * Throws `ChainUnavailableError` for a table that does not exist here or is taken out of use.
 */
export async function readTables(
  chain: Chain,
  addresses: readonly Address[],
): Promise<LookupTables> {
  if (addresses.length === 0) return {};
  const { accounts } = await chain.accounts(addresses);
  return Object.fromEntries(
    addresses.map((table, at) => {
      const account = accounts[at];
      const found = account?.owner === LOOKUP_TABLE_PROGRAM ? readTable(account.data) : null;
      if (found === null) throw new ChainUnavailableError(`Lookup table ${table} cannot be used`);
      return [table, found];
    }),
  );
}
