import { ed25519 } from "@noble/curves/ed25519.js";
import { decodeBase58 } from "./base58.ts";

/**
 * Returns the wallet's public key, or null for an address no wallet can sign for.
 *
 * Refuses what is not exactly 32 bytes, not a canonical point of the curve, or a point of small order: under those a
 * signature can be made without any key.
 */
export function walletKey(address: string): Uint8Array | null {
  const bytes = decodeBase58(address, 32);
  if (bytes === null) return null;
  try {
    const point = ed25519.Point.fromBytes(bytes, false);
    return point.isSmallOrder() || !point.isTorsionFree() ? null : bytes;
  } catch {
    return null;
  }
}

/** Says whether the wallet signed exactly these bytes; RFC 8032 strictly, so no second spelling of a signature passes. */
export function isSignedBy(address: string, message: Uint8Array, signature: string): boolean {
  const key = walletKey(address);
  const bytes = decodeBase58(signature, 64);
  if (key === null || bytes === null) return false;
  try {
    return ed25519.verify(bytes, message, key, { zip215: false });
  } catch {
    return false;
  }
}
