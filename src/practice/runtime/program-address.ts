import { sha256 } from "@noble/hashes/sha2.js";
import type { Address } from "@solana/kit";
import { addressBytes } from "../../solana/encoding/address-codec.ts";
import { deriveAddress } from "../../solana/encoding/pda.ts";
import { concatBytes, readAddress, utf8Bytes } from "./bytes.ts";

const MARKER = utf8Bytes("ProgramDerivedAddress");

/** Returns the address of seeds that include their bump. Only for bumps found by `findProgramAddress`. */
export function createProgramAddress(seeds: readonly Uint8Array[], programId: Address): Address {
  return readAddress(sha256(concatBytes([...seeds, addressBytes(programId), MARKER])), 0);
}

/** Cache of derivations: they repeat (a few per agent), and each costs at least one curve check. */
const found = new Map<string, readonly [Address, number]>();
const MAX_KEPT = 20_000;

/** Returns the first off-curve address of the seeds, and its bump. */
export function findProgramAddress(
  seeds: readonly Uint8Array[],
  programId: Address,
): readonly [Address, number] {
  const key = `${programId}${seeds.map((seed) => seed.join(",")).join("|")}`;
  const known = found.get(key);
  if (known !== undefined) return known;
  const { address, bump } = deriveAddress(programId, seeds);
  if (found.size >= MAX_KEPT) found.clear();
  found.set(key, [address, bump]);
  return [address, bump];
}
