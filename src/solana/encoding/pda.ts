import { ed25519 } from "@noble/curves/ed25519.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { type Address, getUtf8Encoder } from "@solana/kit";
import { addressBytes, addressOf } from "./address-codec.ts";

const utf8Encoder = getUtf8Encoder();
const MARKER = utf8("ProgramDerivedAddress");

/** Returns the UTF-8 bytes of a text. */
export function utf8(text: string): Uint8Array {
  return new Uint8Array(utf8Encoder.encode(text));
}

function isOnCurve(bytes: Uint8Array): boolean {
  try {
    ed25519.Point.fromBytes(bytes, true);
    return true;
  } catch {
    return false;
  }
}

/** Joins byte strings. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** An address without a private key, and the bump that moved it off the curve. */
export interface ProgramDerivedAddress {
  readonly address: Address;
  readonly bump: number;
}

const known = new Map<string, ProgramDerivedAddress>();

/** Largest number of cached derivations: the accounts of a few thousand agents, a few megabytes at most. */
const KNOWN_LIMIT = 20_000;

/** Derives a program address without the asynchronous crypto API. Repeated derivations are cached. */
export function deriveAddress(
  programId: Address,
  seeds: readonly (Uint8Array | string)[],
): ProgramDerivedAddress {
  const parts = seeds.map((seed) => (typeof seed === "string" ? utf8(seed) : seed));
  const key = [programId, ...parts.map((part) => part.join())].join("|");
  const found = known.get(key);
  if (found !== undefined) return found;
  const derived = findOffCurve(programId, parts);
  if (known.size >= KNOWN_LIMIT) known.clear();
  known.set(key, derived);
  return derived;
}

/** Returns the 32 bytes that seeds, their bump among them, are hashed to. */
const hashSeeds = (programId: Address, seeds: readonly Uint8Array[]): Uint8Array =>
  sha256(concatBytes([...seeds, addressBytes(programId), MARKER]));

/** Returns the address of seeds that include their bump. Only for bumps that `deriveAddress` found. */
export const createProgramAddress = (programId: Address, seeds: readonly Uint8Array[]): Address =>
  addressOf(hashSeeds(programId, seeds));

function findOffCurve(programId: Address, seeds: readonly Uint8Array[]): ProgramDerivedAddress {
  for (let bump = 255; bump >= 0; bump -= 1) {
    const hash = hashSeeds(programId, [...seeds, Uint8Array.of(bump)]);
    if (!isOnCurve(hash)) return { address: addressOf(hash), bump };
  }
  throw new Error("No program address exists for these seeds");
}
