import { sha256 } from "@noble/hashes/sha2.js";
import type { Keypair } from "../solana/encoding/keys.ts";
import { keypairFromSeed } from "../solana/encoding/keys.ts";
import { utf8 } from "../solana/encoding/pda.ts";

/**
 * Returns the key pair derived from a name, the same in every process. Anybody can derive it: such keys hold practice
 * money only.
 */
export function practiceKeyPair(name: string): Keypair {
  return keypairFromSeed(sha256(utf8(`wheelhouse practice key ${name}`)));
}
