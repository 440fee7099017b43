import {
  type Address,
  address,
  getAddressDecoder,
  getU32Encoder,
  getU64Decoder,
  getU64Encoder,
} from "@solana/kit";
import { addressBytes } from "../encoding/address-codec.ts";
import {
  type FullInstruction,
  instruction,
  readonly,
  writable,
  writableSigner,
} from "../encoding/instruction.ts";
import { deriveAddress, type ProgramDerivedAddress } from "../encoding/pda.ts";
import { SYSTEM_PROGRAM } from "./system.ts";
import { type Account, type Chain, ChainUnavailableError } from "../chain.ts";
import type { LookupTables } from "./squads-message.ts";

/** Address of the lookup table program. */
export const LOOKUP_TABLE_PROGRAM = address("AddressLookupTab1e1111111111111111111111111");

/** Largest number of addresses in a table. */
export const TABLE_CAPACITY = 256;

/** Offset of a table's addresses. */
export const LOOKUP_TABLE_META_BYTES = 56;

const DEACTIVATION_OFFSET = 4;
const EXTENDED_SLOT_OFFSET = 12;
const EXTENDED_START_OFFSET = 20;
const AUTHORITY_FLAG_OFFSET = 21;
const AUTHORITY_OFFSET = 22;
const IN_USE = 2n ** 64n - 1n;

const CREATE = 0;
const EXTEND = 2;

/** Content of a lookup table account. */
export interface LookupTable {
  /** Key that may extend the table; null once it is frozen. */
  readonly authority: Address | null;
  readonly isInUse: boolean;
  /** Addresses are only appended: an entry never changes. */
  readonly addresses: readonly Address[];
  /** Slot of the last extension; entries from `extendedFrom` on are usable only after it. */
  readonly extendedSlot: bigint;
  readonly extendedFrom: number;
}

const u64 = (value: bigint): Uint8Array => new Uint8Array(getU64Encoder().encode(value));
const u32 = (value: number): Uint8Array => new Uint8Array(getU32Encoder().encode(value));

/** Derives the address of the table an authority creates at a slot. */
export function deriveLookupTable(authority: Address, slot: bigint): ProgramDerivedAddress {
  return deriveAddress(LOOKUP_TABLE_PROGRAM, [addressBytes(authority), u64(slot)]);
}

/** Returns the accounts of a call; the authority also pays. */
const accountsOf = (table: Address, authority: Address) => [
  writable(table),
  writableSigner(authority),
  writableSigner(authority),
  readonly(SYSTEM_PROGRAM),
];

/** Creates an empty table, paid for by its authority. `slot` must be one of the last 512. */
export function createLookupTable(authority: Address, slot: bigint): FullInstruction {
  const { address: table, bump } = deriveLookupTable(authority, slot);
  return instruction(LOOKUP_TABLE_PROGRAM, accountsOf(table, authority), [
    ...u32(CREATE),
    ...u64(slot),
    bump,
  ]);
}

/** Appends addresses to a table; its authority pays the rent. About 25 fit in one transaction. */
export function extendLookupTable(
  table: Address,
  authority: Address,
  added: readonly Address[],
): FullInstruction {
  return instruction(LOOKUP_TABLE_PROGRAM, accountsOf(table, authority), [
    ...u32(EXTEND),
    ...u64(BigInt(added.length)),
    ...added.flatMap((key) => [...addressBytes(key)]),
  ]);
}

/** Returns the data of an active table whose addresses are all usable: at most 255. */
export function encodeLookupTable(authority: Address, addresses: readonly Address[]): Uint8Array {
  const data = new Uint8Array(LOOKUP_TABLE_META_BYTES + addresses.length * 32);
  data.set(u32(1));
  data.set(u64(IN_USE), DEACTIVATION_OFFSET);
  data[EXTENDED_START_OFFSET] = addresses.length;
  data[AUTHORITY_FLAG_OFFSET] = 1;
  data.set(addressBytes(authority), AUTHORITY_OFFSET);
  for (const [at, key] of addresses.entries()) {
    data.set(addressBytes(key), LOOKUP_TABLE_META_BYTES + at * 32);
  }
  return data;
}

/** Decodes a lookup table's data, or returns null when it is too short. */
export function decodeLookupTable(data: Uint8Array): LookupTable | null {
  if (data.length < LOOKUP_TABLE_META_BYTES) return null;
  const at = getU64Decoder();
  const key = getAddressDecoder();
  const count = Math.floor((data.length - LOOKUP_TABLE_META_BYTES) / 32);
  return {
    authority: data[AUTHORITY_FLAG_OFFSET] === 1 ? key.read(data, AUTHORITY_OFFSET)[0] : null,
    isInUse: at.read(data, DEACTIVATION_OFFSET)[0] === IN_USE,
    addresses: Array.from(
      { length: count },
      (_, place) => key.read(data, LOOKUP_TABLE_META_BYTES + place * 32)[0],
    ),
    extendedSlot: at.read(data, EXTENDED_SLOT_OFFSET)[0],
    extendedFrom: data[EXTENDED_START_OFFSET] ?? 0,
  };
}

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
