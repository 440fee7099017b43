import type { Address } from "@solana/kit";
import { sameBytes } from "../../../solana/encoding/instruction.ts";
import { signedForms, signInTransaction } from "../../../solana/signing.ts";
import { toBase64 } from "../../lib/base64.ts";
import { WalletError } from "../../wallet/wallet-error.ts";
import type { SignedMessage, WalletSession } from "../../wallet/wallet-session.ts";

/** Returns the signature of a text in an envelope. Throws WalletError where it is another text's, or another signer's. */
export function signatureIn(
  { wallet, signature, signedMessage }: SignedMessage,
  asked: { readonly text: string; readonly address: string; readonly host: string },
): Uint8Array {
  const forms = signedForms(asked.text, asked.address, asked.host);
  if (!forms.some((form) => sameBytes(form, signedMessage))) {
    throw new WalletError("signed-other", wallet);
  }
  // What a Ledger's own library answers has the number of signatures before them and the message after
  return signature.length > 64 && signature[0] === 1 ? signature.slice(1, 65) : signature;
}

/** Has a wallet that signs no messages sign a transaction with the text, which no chain takes any more. */
export async function signTransactionWith(
  { signTransaction }: Pick<WalletSession, "signTransaction">,
  text: string,
  address: string,
): Promise<{ readonly transaction: string }> {
  const asked = signInTransaction(address as Address, text);
  return { transaction: toBase64(await signTransaction(asked, "mainnet", address)) };
}
