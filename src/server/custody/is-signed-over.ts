import { parseAddress, signatureBytes } from "../../solana/parse-address.ts";
import { attachSignature, unsignedSigners } from "../../solana/signing.ts";
import type { CustodyRow } from "../store/custody/custody.ts";
import { verifyEd25519 } from "../crypto/verify-ed25519.ts";

/**
 * Returns whether a signature is the owner's over exactly the prepared bytes; a wallet that modified them produces
 * another.
 */
export function isSignedOver(row: CustodyRow, signature: string): boolean {
  const owner = parseAddress(row.owner);
  const bytes = signatureBytes(signature);
  const signed = attachSignature(row.message, owner, bytes);
  return !unsignedSigners(signed, verifyEd25519).includes(owner);
}
