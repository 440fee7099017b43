import {
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
} from "@solana/kit";
import { decodeBase58 } from "../domain/base58.ts";
import { addressBytes, addressOf } from "./encoding/address-codec.ts";
import { sameBytes } from "./encoding/instruction.ts";

/** A compiled message with its blockhash, as the wire carries it. */
export type CompiledMessage = CompiledTransactionMessage & CompiledTransactionMessageWithLifetime;

type EarlierMessage = Extract<CompiledMessage, { readonly version: "legacy" | 0 }>;

/** Set in the first byte of every message that says its version. */
const VERSION_FLAG = 0x80;
/** Bytes of an address and of a blockhash, which is spelled like one. */
const ADDRESS_BYTES = 32;

const decoder = getCompiledTransactionMessageDecoder();
const encoder = getCompiledTransactionMessageEncoder();

/**
 * Reads a message of any version. Throws unless the bytes are exactly one message in its only spelling, so that what was
 * checked is what a node reads.
 */
export function readMessage(bytes: Uint8Array): CompiledMessage {
  const first = bytes[0] ?? 0;
  if (first <= VERSION_FLAG) return readEarlier(bytes, first === VERSION_FLAG ? 0 : "legacy");
  // Version 1 is the owners' alone: seldom, and left to the library
  const message = decoder.decode(bytes);
  if (!sameBytes(encoder.encode(message), bytes)) throw new Error("Not one message alone");
  return message;
}

/** Writes a message of any version. Throws when a number does not fit. */
export function writeMessage(message: CompiledMessage): Uint8Array {
  return message.version === 1 ? new Uint8Array(encoder.encode(message)) : writeEarlier(message);
}

type Reader = ReturnType<typeof createReader>;

function createReader(bytes: Uint8Array, start: number) {
  let at = start;
  const take = (count: number): Uint8Array => {
    const from = at;
    at += count;
    if (at > bytes.length) throw new Error("The message ends early");
    return bytes.slice(from, at);
  };
  const byte = (): number => {
    const value = bytes[at];
    if (value === undefined) throw new Error("The message ends early");
    at += 1;
    return value;
  };
  /** A count of up to 16 bits, seven in a byte, lowest first. */
  const count = (): number => {
    let value = 0;
    for (let shift = 0; shift < 21; shift += 7) {
      const part = byte();
      value |= (part & 0x7f) << shift;
      if (part >= 0x80) continue;
      if (value > 0xffff || (part === 0 && shift > 0)) break;
      return value;
    }
    throw new Error("A count has one spelling of up to 16 bits");
  };
  return {
    byte,
    address: () => addressOf(take(ADDRESS_BYTES)),
    counted: () => take(count()),
    list<T>(read: () => T): T[] {
      return Array.from({ length: count() }, read);
    },
    end() {
      if (at !== bytes.length) throw new Error("The message goes on after its end");
    },
  };
}

/** Parts stand in the order of the wire; empty ones are absent, as the library reads them. */
function readEarlier(bytes: Uint8Array, version: "legacy" | 0): EarlierMessage {
  const reader = createReader(bytes, version === 0 ? 1 : 0);
  const header = {
    numSignerAccounts: reader.byte(),
    numReadonlySignerAccounts: reader.byte(),
    numReadonlyNonSignerAccounts: reader.byte(),
  };
  const staticAccounts = reader.list(reader.address);
  const lifetimeToken: string = reader.address();
  const instructions = reader.list(() => {
    const programAddressIndex = reader.byte();
    const accountIndices = [...reader.counted()];
    const data = reader.counted();
    return {
      programAddressIndex,
      ...(accountIndices.length > 0 && { accountIndices }),
      ...(data.length > 0 && { data }),
    };
  });
  const body = { header, staticAccounts, lifetimeToken, instructions };
  const addressTableLookups = version === 0 ? reader.list(() => readLookup(reader)) : [];
  reader.end();
  if (version === "legacy") return { version, ...body };
  return { version, ...body, ...(addressTableLookups.length > 0 && { addressTableLookups }) };
}

const readLookup = (reader: Reader) => ({
  lookupTableAddress: reader.address(),
  writableIndexes: [...reader.counted()],
  readonlyIndexes: [...reader.counted()],
});

function pushCount(bytes: number[], count: number): void {
  if (count > 0xffff) throw new RangeError("A message counts up to 65,535");
  let rest = count;
  for (; rest >= 0x80; rest >>= 7) bytes.push((rest & 0x7f) | 0x80);
  bytes.push(rest);
}

function pushByte(bytes: number[], value: number): void {
  if (!(value >= 0 && value <= 0xff)) throw new RangeError(`${value} does not fit into a byte`);
  bytes.push(value);
}

function pushAll(bytes: number[], values: ArrayLike<number>): void {
  for (let at = 0; at < values.length; at += 1) pushByte(bytes, values[at] ?? 0);
}

function pushCounted(bytes: number[], values: ArrayLike<number>): void {
  pushCount(bytes, values.length);
  pushAll(bytes, values);
}

function writeEarlier(message: EarlierMessage): Uint8Array {
  const { header, staticAccounts, lifetimeToken, instructions } = message;
  const bytes: number[] = message.version === 0 ? [VERSION_FLAG] : [];
  pushByte(bytes, header.numSignerAccounts);
  pushByte(bytes, header.numReadonlySignerAccounts);
  pushByte(bytes, header.numReadonlyNonSignerAccounts);
  pushCount(bytes, staticAccounts.length);
  for (const address of staticAccounts) pushAll(bytes, addressBytes(address));
  const blockhash = decodeBase58(lifetimeToken, ADDRESS_BYTES);
  if (blockhash === null) throw new Error("A blockhash has 32 bytes");
  pushAll(bytes, blockhash);
  pushCount(bytes, instructions.length);
  for (const { programAddressIndex, accountIndices = [], data = [] } of instructions) {
    pushByte(bytes, programAddressIndex);
    pushCounted(bytes, accountIndices);
    pushCounted(bytes, data as ArrayLike<number>);
  }
  if (message.version !== 0) return Uint8Array.from(bytes);
  const lookups = message.addressTableLookups ?? [];
  pushCount(bytes, lookups.length);
  for (const { lookupTableAddress, writableIndexes, readonlyIndexes } of lookups) {
    pushAll(bytes, addressBytes(lookupTableAddress));
    pushCounted(bytes, writableIndexes);
    pushCounted(bytes, readonlyIndexes);
  }
  return Uint8Array.from(bytes);
}
