import { address, getBase58Codec } from "@solana/kit";
import { attachSignature, unsignedSigners } from "../../solana/signing.ts";
import type { CustodyRow } from "../store/custody.ts";

/** Says whether a signature is the owner's over exactly the bytes handed out; a wallet that added to them gives another. */
export function isSignedOver(row: CustodyRow, signature: string): boolean {
  const owner = address(row.owner);
  const bytes = new Uint8Array(getBase58Codec().encode(signature));
  return !unsignedSigners(attachSignature(row.message, owner, bytes)).includes(owner);
}
