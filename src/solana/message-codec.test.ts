import {
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
} from "@solana/kit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeBase58 } from "../domain/base58.ts";
import { addressOf } from "./encoding/address-codec.ts";
import { readMessage, writeMessage } from "./message-codec.ts";

type Message = CompiledTransactionMessage & CompiledTransactionMessageWithLifetime;

const byte = fc.nat(255);
const key = fc.uint8Array({ minLength: 32, maxLength: 32 });
const address = key.map((bytes) => addressOf(bytes));
// Beyond 127 a count takes two bytes
const indexes = fc.array(byte, { maxLength: 200, size: "max" });
const data = fc.uint8Array({ maxLength: 300, size: "max" });
const instruction = fc.record({ programAddressIndex: byte, accountIndices: indexes, data });
const body = {
  header: fc.record({
    numSignerAccounts: fc.nat(127),
    numReadonlySignerAccounts: byte,
    numReadonlyNonSignerAccounts: byte,
  }),
  staticAccounts: fc.array(address, { maxLength: 140 }),
  lifetimeToken: key.map(encodeBase58),
  instructions: fc.array(instruction, { maxLength: 140 }),
};
const lookup = fc.record({
  lookupTableAddress: address,
  writableIndexes: indexes,
  readonlyIndexes: indexes,
});
const message = fc.oneof(
  fc.record({ version: fc.constant("legacy" as const), ...body }),
  fc.record({
    version: fc.constant(0 as const),
    ...body,
    addressTableLookups: fc.array(lookup, { maxLength: 4 }),
  }),
) as unknown as fc.Arbitrary<Message>;

const kitBytes = (given: Message) =>
  new Uint8Array(getCompiledTransactionMessageEncoder().encode(given));
const kitMessage = (bytes: Uint8Array) => getCompiledTransactionMessageDecoder().decode(bytes);

function readsOrNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

describe("readMessage and writeMessage", () => {
  it("agree with the library", () => {
    fc.assert(
      fc.property(message, (given) => {
        const bytes = kitBytes(given);
        expect(writeMessage(given)).toEqual(bytes);
        expect(readMessage(bytes)).toEqual(kitMessage(bytes));
        expect(writeMessage(readMessage(bytes))).toEqual(bytes);
      }),
    );
  });

  it("refuse missing and additional bytes", () => {
    fc.assert(
      fc.property(message, fc.nat(), (given, cut) => {
        const bytes = kitBytes(given);
        expect(() => readMessage(bytes.slice(0, cut % bytes.length))).toThrow();
        expect(() => readMessage(Uint8Array.of(...bytes, 0))).toThrow();
      }),
    );
  });

  it("read changed bytes like the library, or refuse them", () => {
    fc.assert(
      fc.property(message, fc.nat(), byte, (given, where, change) => {
        const bytes = kitBytes(given);
        bytes[where % bytes.length] = change;
        const read = readsOrNull(() => readMessage(bytes));
        const known = readsOrNull(() => kitMessage(bytes));
        const isCanonical =
          known !== null && Buffer.from(kitBytes(known as Message)).equals(Buffer.from(bytes));
        expect(read).toEqual(isCanonical ? known : null);
      }),
      { numRuns: 300 },
    );
  });

  it("refuse a count with an overlong encoding, and one beyond 16 bits", () => {
    const start = [1, 0, 0];
    const rest = [...new Uint8Array(32), 0];
    expect(readMessage(Uint8Array.from([...start, 0, ...rest])).staticAccounts).toEqual([]);
    expect(() => readMessage(Uint8Array.from([...start, 0x80, 0, ...rest]))).toThrow("spelling");
    const beyond = [0xff, 0xff, 0x04, ...rest];
    expect(() => readMessage(Uint8Array.from([...start, ...beyond]))).toThrow("spelling");
  });

  it("refuse unknown versions", () => {
    for (const version of [0x82, 0xff]) {
      expect(() => readMessage(Uint8Array.of(version, 1, 0, 0))).toThrow();
    }
  });
});
