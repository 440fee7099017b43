import type { Blockhash, Instruction } from "@solana/kit";
import type { Keypair } from "../solana/encoding/keys.ts";
import type { LookupTables } from "../solana/programs/squads-message.ts";
import { signTransaction as signWire } from "../solana/signing.ts";
import { compileTransaction } from "../solana/transaction.ts";

/** Returns the wire bytes of a version 0 transaction signed by the keys; the first key pays. */
export function signTransaction(
  keys: readonly [Keypair, ...Keypair[]],
  instructions: readonly Instruction[],
  blockhash: Blockhash,
  tables: LookupTables = {},
): Uint8Array {
  const unsigned = compileTransaction({
    feePayer: keys[0].address,
    lifetime: { blockhash, lastValidBlockHeight: 0n },
    instructions,
    tables,
  });
  return keys.reduce<Uint8Array>((wire, key) => signWire(wire, key), unsigned);
}
