import type { Address } from "@solana/kit";
import type { Chain } from "../../solana/chain.ts";
import type { Keypair } from "../../solana/encoding/keys.ts";
import {
  createLookupTable,
  decodeLookupTable,
  deriveLookupTable,
  extendLookupTable,
  LOOKUP_TABLE_PROGRAM,
  TABLE_CAPACITY,
} from "../../solana/programs/address-lookup-table.ts";
import {
  landTransaction,
  type OperationDeps,
  OperationRefusedError,
  OperationError,
} from "./land-transaction.ts";

/** Addresses added per transaction; 30 would fill it to the last byte. */
const ADDED_AT_ONCE = 20;

/** Number of slots tried for a new table, and the distance between them; the slot may be at most 512 slots old. */
const SLOT_TRIES = 6;
const SLOTS_BACK = 40n;

/** A lookup table after its creation or extension. */
export interface EnsuredTable {
  readonly table: Address;
  readonly isNew: boolean;
  readonly added: readonly Address[];
}

/**
 * Creates the deployment's lookup table, or adds the missing addresses of `wanted` to the given one.
 *
 * Addresses are never removed or moved. Can be repeated after any failure; a table whose creation was not recorded is
 * lost with its rent of about 0.0013 SOL. Throws for a table that is deactivated or belongs to another key.
 */
export async function ensureSharedTable(
  deps: OperationDeps,
  authority: Keypair,
  present: Address | undefined,
  wanted: readonly Address[],
  onCreated: (table: Address) => void = () => undefined,
): Promise<EnsuredTable> {
  const { chain } = deps;
  const held = present === undefined ? [] : await readOwnTable(chain, authority.address, present);
  const added = [...new Set(wanted)].filter((key) => !held.includes(key));
  if (held.length + added.length > TABLE_CAPACITY) {
    throw new OperationError(`A lookup table holds at most ${TABLE_CAPACITY} addresses.`);
  }
  const table = present ?? (await createTable(deps, authority));
  if (present === undefined) onCreated(table);
  for (let at = 0; at < added.length; at += ADDED_AT_ONCE) {
    const some = added.slice(at, at + ADDED_AT_ONCE);
    const extension = extendLookupTable(table, authority.address, some);
    await landTransaction(deps, authority, `Adding to lookup table ${table}`, () => [extension]);
  }
  return { table, isNew: present === undefined, added };
}

/**
 * Creates an empty table at a recent slot. The program accepts only slots that the executing node knows as past: the
 * newest may be unknown to a lagging node, and any may have been skipped. Final slots are therefore tried, from new to
 * old.
 */
async function createTable(deps: OperationDeps, authority: Keypair): Promise<Address> {
  const { slot: newest } = await deps.chain.progress("finalized");
  const slots = Array.from({ length: SLOT_TRIES }, (_, at) => newest - BigInt(at) * SLOTS_BACK);
  for (const slot of slots.filter((known) => known >= 0n)) {
    const creation = createLookupTable(authority.address, slot);
    try {
      await landTransaction(deps, authority, "Creating the lookup table", () => [creation]);
      return deriveLookupTable(authority.address, slot).address;
    } catch (error) {
      if (!isSlotRefusal(error)) throw error;
    }
  }
  throw new OperationError(
    `Creating the lookup table: none of the slots ${slots.join(", ")} is recent to the node that executes, so it is far behind or ahead of the one that was asked. Run this again, or name another RPC address first.`,
  );
}

/** Returns whether the lookup table program refused the slot as unknown. */
function isSlotRefusal(error: unknown): boolean {
  return error instanceof OperationRefusedError && error.error.name === "InvalidInstructionData";
}

/** Returns the addresses of a key's lookup table. Throws `OperationError` where it is not one in use. */
export async function readOwnTable(
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
