import {
  AccountRole,
  type Address,
  type Blockhash,
  type Instruction,
  appendTransactionMessageInstructions,
  compileTransactionMessage,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  getCompiledTransactionMessageEncoder,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressOf } from "./encoding/address-codec.ts";
import { compileMessage, type MessageParts } from "./compile-message.ts";
import { writeMessage } from "./message-codec.ts";
import { isTooManyAccounts } from "./transaction.ts";

/** Few enough that accounts, programs, payer and tables meet again and again. */
const ADDRESSES = Array.from({ length: 14 }, (_, n) =>
  addressOf(new Uint8Array(32).map((_byte, at) => (n * 37 + at * (n + 3)) & 0xff)),
);
const address = fc.constantFrom(...ADDRESSES);
const role = fc.constantFrom(
  AccountRole.READONLY,
  AccountRole.WRITABLE,
  AccountRole.READONLY_SIGNER,
  AccountRole.WRITABLE_SIGNER,
);
const instruction = fc.record(
  {
    programAddress: address,
    accounts: fc.array(fc.record({ address, role }), { maxLength: 8 }),
    data: fc.uint8Array({ maxLength: 5 }),
  },
  { requiredKeys: ["programAddress"] },
);
const parts: fc.Arbitrary<MessageParts> = fc.record({
  feePayer: address,
  blockhash: address.map((text) => text as string as Blockhash),
  instructions: fc.array(instruction, { maxLength: 4 }),
  tables: fc
    .uniqueArray(fc.tuple(address, fc.uniqueArray(address, { maxLength: 8 })), {
      maxLength: 3,
      selector: ([table]) => table,
    })
    .map((tables) => Object.fromEntries(tables)),
});

function kits({ feePayer, blockhash, instructions, tables }: MessageParts): Uint8Array {
  const empty = setTransactionMessageFeePayer(feePayer, createTransactionMessage({ version: 0 }));
  const lifetime = { blockhash, lastValidBlockHeight: 0n };
  const timed = setTransactionMessageLifetimeUsingBlockhash(lifetime, empty);
  const full = appendTransactionMessageInstructions(instructions, timed);
  const small = compressTransactionMessageUsingAddressLookupTables(full, tables as never);
  return new Uint8Array(
    getCompiledTransactionMessageEncoder().encode(compileTransactionMessage(small as never)),
  );
}

const outcomeOf = (compile: () => Uint8Array): Uint8Array | "refused" => {
  try {
    return compile();
  } catch {
    return "refused";
  }
};

describe("compiling a message", () => {
  it("gives the library's bytes, and refuses what it refuses", () => {
    const seen = { refused: 0, compiled: 0 };
    fc.assert(
      fc.property(parts, (each) => {
        const own = outcomeOf(() => writeMessage(compileMessage(each)));
        expect(own).toEqual(outcomeOf(() => kits(each)));
        seen[own === "refused" ? "refused" : "compiled"] += 1;
      }),
      { numRuns: 3_000 },
    );
    expect(Math.min(seen.refused, seen.compiled)).toBeGreaterThan(100);
  });

  it("counts the accounts of tables, too", () => {
    const many = Array.from({ length: 63 }, (_, n) => addressOf(new Uint8Array(32).fill(n + 60)));
    const [feePayer, programAddress, table, blockhash] = ADDRESSES as [
      Address,
      Address,
      Address,
      Address,
    ];
    const partsOf = (addresses: readonly Address[]) => ({
      feePayer,
      blockhash: blockhash as string as Blockhash,
      instructions: [
        {
          programAddress,
          accounts: addresses.map((each) => ({ address: each, role: AccountRole.WRITABLE })),
        } satisfies Instruction,
      ],
      tables: { [table]: many },
    });
    expect(compileMessage(partsOf(many.slice(1))).staticAccounts).toHaveLength(2);
    const refusal: unknown = (() => {
      try {
        return compileMessage(partsOf(many));
      } catch (error) {
        return error;
      }
    })();
    expect(isTooManyAccounts(refusal)).toBe(true);
  });
});
