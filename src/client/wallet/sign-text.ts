import type { Address } from "@solana/kit";
import { sameBytes } from "../../solana/encoding/instruction.ts";
import type { UsableFeatures } from "./solana-features.ts";
import { WalletError } from "./wallet-error.ts";
import { toBase64 } from "../lib/base64.ts";
import type { ConnectedWallet, WalletSession } from "./wallet-session.ts";

/** Answer of a wallet; some leave out what they signed. */
interface Signed {
  readonly signature: Uint8Array;
  readonly signedMessage?: Uint8Array;
}

/** Has a wallet sign a text, as it is or in an envelope, for `host`. Throws WalletError where it signed another text. */
export async function signText(
  { wallet: { features, name }, account }: ConnectedWallet,
  text: string,
  host: string,
): Promise<Uint8Array> {
  const message = new TextEncoder().encode(text);
  const [signed] = await answersOf(features, account, { text, message });
  if (signed === undefined) throw new Error("The wallet answered nothing");
  const { signature, signedMessage } = signed;
  if (signedMessage !== undefined && !sameBytes(signedMessage, message)) {
    const { signedForms } = await import("../../solana/signed-text.ts");
    const forms = signedForms(text, account.address, host);
    if (!forms.some((form) => sameBytes(form, signedMessage))) {
      throw new WalletError("signed-other", name);
    }
  }
  // What a Ledger's own library answers has the number of signatures before them and the message after
  return signature.length > 64 && signature[0] === 1 ? signature.slice(1, 65) : signature;
}

async function answersOf(
  features: UsableFeatures,
  account: ConnectedWallet["account"],
  { text, message }: { readonly text: string; readonly message: Uint8Array },
): Promise<readonly Signed[]> {
  const { "solana:signMessage": plain, "solana:signOffchainMessage": enveloped } = features;
  const isEnveloped = account.features.includes("solana:signOffchainMessage");
  if (plain && (account.features.includes("solana:signMessage") || !isEnveloped)) {
    return plain.signMessage({ account, message });
  }
  if (!enveloped) throw new Error("The wallet signs no messages");
  const requiredSigners = [account.publicKey];
  const asked = { account, message: text, messageVersion: 1, requiredSigners } as const;
  return (await enveloped.signOffchainMessage(asked)).map(
    ({ signature, signedOffchainMessage: signedMessage }) => ({ signature, signedMessage }),
  );
}

/** Has a wallet that signs no messages sign a transaction with the text, which no chain takes any more. */
export async function signTransactionWith(
  { signTransaction }: Pick<WalletSession, "signTransaction">,
  text: string,
  address: string,
): Promise<{ readonly transaction: string }> {
  const { signInTransaction } = await import("../../solana/signed-text.ts");
  const asked = signInTransaction(address as Address, text);
  return { transaction: toBase64(await signTransaction(asked, "mainnet", address)) };
}
