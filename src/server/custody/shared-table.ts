import type { Address } from "@solana/kit";
import type { Chain } from "../../solana/chain.ts";
import type { Keypair } from "../../solana/keys.ts";
import {
  createLookupTable,
  decodeLookupTable,
  deriveLookupTable,
  extendLookupTable,
  LOOKUP_TABLE_PROGRAM,
  TABLE_CAPACITY,
} from "../../solana/programs/address-lookup-table.ts";
import { OperationError } from "./operation-error.ts";
import { landTransaction } from "./land-transaction.ts";

/** Addresses added by one transaction; 30 would be its last byte. */
const ADDED_AT_ONCE = 20;

/** A table after it was seen to. */
export interface KeptTable {
  readonly table: Address;
  readonly isNew: boolean;
  readonly added: readonly Address[];
}

/**
 * Creates the deployment's lookup table, or adds to the one given whatever of `wanted` it lacks.
 *
 * Addresses are never taken out or moved. Can be repeated after any failure; a table whose creation was not noted is
 * lost with its rent of about 0.0013 SOL. Throws for a table that is out of use or belongs to another key.
 */
export async function keepSharedTable(
  surroundings: { readonly chain: Chain; readonly sleep: (ms: number) => Promise<unknown> },
  authority: Keypair,
  present: Address | undefined,
  wanted: readonly Address[],
  onCreated: (table: Address) => void = () => undefined,
): Promise<KeptTable> {
  const { chain } = surroundings;
  const held = present === undefined ? [] : await readOwnTable(chain, authority.address, present);
  const added = [...new Set(wanted)].filter((key) => !held.includes(key));
  if (held.length + added.length > TABLE_CAPACITY) {
    throw new OperationError(`A lookup table holds at most ${TABLE_CAPACITY} addresses.`);
  }
  const { slot } = await chain.accounts([authority.address]);
  const table = present ?? deriveLookupTable(authority.address, slot).address;
  if (present === undefined) {
    await landTransaction(surroundings, authority, [createLookupTable(authority.address, slot)]);
    onCreated(table);
  }
  for (let at = 0; at < added.length; at += ADDED_AT_ONCE) {
    const some = added.slice(at, at + ADDED_AT_ONCE);
    await landTransaction(surroundings, authority, [
      extendLookupTable(table, authority.address, some),
    ]);
  }
  return { table, isNew: present === undefined, added };
}

async function readOwnTable(
  chain: Chain,
  authority: Address,
  address: Address,
): Promise<readonly Address[]> {
  const [account] = (await chain.accounts([address])).accounts;
  const table = account?.owner === LOOKUP_TABLE_PROGRAM ? decodeLookupTable(account.data) : null;
  if (table === null) throw new OperationError(`${address} is not a lookup table on this network.`);
  if (!table.isInUse) throw new OperationError(`Lookup table ${address} is taken out of use.`);
  if (table.authority !== authority) {
    throw new OperationError(
      `Lookup table ${address} belongs to another key than this deployment's.`,
    );
  }
  return table.addresses;
}
