import { ed25519 } from "@noble/curves/ed25519.js";
import { verifyEd25519 } from "../crypto/verify-ed25519.ts";
import { decodeBase58 } from "../../domain/base58.ts";
import { signedForms } from "../../solana/signing.ts";

/**
 * Returns whether the address is valid for a wallet: exactly 32 bytes that are a canonical point of the curve and not
 * of small order, because a signature under such a point needs no key.
 *
 * Takes a fraction of a millisecond; membership in the main group is checked with the signature.
 */
export function isWalletAddress(address: string): boolean {
  return pointOf(address) !== null;
}

/** Says whether the wallet signed exactly these bytes; RFC 8032 strictly, so no second spelling of a signature passes. */
export function isSignedBy(address: string, message: Uint8Array, signature: string): boolean {
  return isOneSignedBy(address, [message], signature);
}

/** Says whether the wallet signed this text for this host, by itself or in the envelope of an off-chain message. */
export function isTextSignedBy(
  address: string,
  { text, host }: { readonly text: string; readonly host: string },
  signature: string,
): boolean {
  return isOneSignedBy(address, signedForms(text, address, host), signature);
}

function isOneSignedBy(
  address: string,
  messages: readonly Uint8Array[],
  signature: string,
): boolean {
  const key = pointOf(address);
  const bytes = decodeBase58(signature, 64);
  if (key === null || bytes === null) return false;
  try {
    // The strict check takes twenty times as long, so a wrong signature is refused before it
    const signed = messages.find((message) => verifyEd25519(bytes, message, key.bytes));
    if (signed === undefined || !key.point.isTorsionFree()) return false;
    return ed25519.verify(bytes, signed, key.bytes, { zip215: false });
  } catch {
    return false;
  }
}

function pointOf(address: string) {
  const bytes = decodeBase58(address, 32);
  if (bytes === null) return null;
  try {
    const point = ed25519.Point.fromBytes(bytes, false);
    return point.isSmallOrder() ? null : { bytes, point };
  } catch {
    return null;
  }
}
