import type { Address, Blockhash, Instruction } from "@solana/kit";
import {
  appendTransactionMessageInstructions,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  getTransactionEncoder,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import type { LookupTables } from "../solana/programs/squads-message.ts";
import type { PracticeKeyPair } from "./key-pair.ts";

const encoder = getTransactionEncoder();

/** Returns the wire bytes of a version 0 transaction signed by the keys; the first key pays. */
export function signTransaction(
  keys: readonly [PracticeKeyPair, ...PracticeKeyPair[]],
  instructions: readonly Instruction[],
  blockhash: Blockhash,
  tables: LookupTables = {},
): Uint8Array {
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayer(keys[0].address, empty),
    (paid) =>
      setTransactionMessageLifetimeUsingBlockhash({ blockhash, lastValidBlockHeight: 0n }, paid),
    (timed) => appendTransactionMessageInstructions(instructions, timed),
    (full) =>
      compressTransactionMessageUsingAddressLookupTables(
        full,
        tables as Record<Address, Address[]>,
      ),
  );
  const compiled = compileTransaction(message);
  const bytes = new Uint8Array(compiled.messageBytes);
  const signatures = { ...compiled.signatures };
  for (const { address, sign } of keys) {
    if (address in signatures) Object.assign(signatures, { [address]: sign(bytes) });
  }
  return new Uint8Array(encoder.encode({ ...compiled, signatures }));
}
