import type { Blockhash, Instruction } from "@solana/kit";
import { type Keypair, keypairFromSeed } from "../solana/encoding/keys.ts";
import type { LookupTables } from "../solana/programs/squads-message.ts";
import { signTransaction as signWire } from "../solana/signing.ts";
import { compileTransaction } from "../solana/transaction.ts";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8 } from "../solana/encoding/pda.ts";

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

/**
 * Returns the key pair derived from a name, the same in every process. Anybody can derive it: such keys hold practice
 * money only.
 */
export function practiceKeyPair(name: string): Keypair {
  return keypairFromSeed(sha256(utf8(`wheelhouse practice key ${name}`)));
}
