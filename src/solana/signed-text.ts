import {
  address,
  type Address,
  type Blockhash,
  getBase58Encoder,
  getUtf8Encoder,
} from "@solana/kit";
import { decodeTransaction } from "./decode-transaction.ts";
import { instruction, isSameInstruction, signer } from "./encoding/instruction.ts";
import { compileTransaction, TRANSACTION_SIZE_LIMIT } from "./transaction.ts";
import { isAddable } from "./verify-returned.ts";

const utf8 = getUtf8Encoder();

/** First bytes of every off-chain message: no transaction and no text in UTF-8 begins with them. */
const SIGNING_DOMAIN = [0xff, ...utf8.encode("solana offchain")];

/** Formats of an off-chain message: printable ASCII, UTF-8 that fits a packet, longer UTF-8. */
const FORMATS = [0, 1, 2];

/**
 * Returns the bytes of which a wallet may sign one to say that its owner agrees to a text: the text's own, or those of an
 * off-chain message around it, for this signer alone and for no other host. Wallets do not say which they took.
 *
 * Source: sRFC 3 and 38 (versions 0 and 1); Ledger's device-sdk-ts for the header of its older apps, and for the length
 * that its version 1 had.
 */
export function signedForms(text: string, wallet: string, host: string): readonly Uint8Array[] {
  const body = utf8.encode(text);
  const key = getBase58Encoder().encode(wallet);
  const length = [body.length & 0xff, body.length >> 8];
  const noDomain = new Uint8Array(32);
  const ownDomain = new Uint8Array(32);
  ownDomain.set(utf8.encode(host).slice(0, 32));
  const around = (...header: readonly (ArrayLike<number> & Iterable<number>)[]) =>
    Uint8Array.from([...SIGNING_DOMAIN, ...header.flatMap((part) => [...part]), ...body]);
  return [
    Uint8Array.from(body),
    ...[noDomain, ownDomain].flatMap((domain) =>
      FORMATS.map((format) => around([0], domain, [format, 1], key, length)),
    ),
    around([1, 1], key),
    around([1, 1], key, length),
    ...FORMATS.map((format) => around([0, format], length)),
  ];
}

const MEMO_PROGRAM = address("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr");

/** The hash of mainnet's first block: no chain takes a transaction with it any more, so that it can never be sent. */
const ENDED_BLOCKHASH = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d" as Blockhash;

const memoOf = (wallet: Address, text: string) =>
  instruction(MEMO_PROGRAM, [signer(wallet)], utf8.encode(text));

/** Returns the unsigned transaction in whose place a wallet that signs no messages signs a text to sign in. */
export const signInTransaction = (wallet: Address, text: string): Uint8Array =>
  compileTransaction({
    feePayer: wallet,
    lifetime: { blockhash: ENDED_BLOCKHASH, lastValidBlockHeight: 0n },
    instructions: [memoOf(wallet, text)],
  });

/**
 * Returns whether a transaction that a wallet signed is the one to sign in with this text: never to be sent, of this
 * wallet alone, and with nothing in it but the text, limits and prices, and the assertions of wallets.
 */
export function isSignInTransaction(
  wire: Uint8Array,
  { wallet, text }: { readonly wallet: Address; readonly text: string },
  isSignedBy: (message: Uint8Array, signature: Uint8Array) => boolean,
): boolean {
  if (wire.length > TRANSACTION_SIZE_LIMIT) return false;
  try {
    const { feePayer, blockhash, instructions, signers, messageBytes } = decodeTransaction(wire);
    const [own, ...more] = instructions.filter((each) => !isAddable(each));
    const [slot, ...others] = signers;
    return (
      feePayer === wallet &&
      blockhash === ENDED_BLOCKHASH &&
      own !== undefined &&
      more.length === 0 &&
      isSameInstruction(own, memoOf(wallet, text)) &&
      others.length === 0 &&
      slot?.signature != null &&
      isSignedBy(messageBytes, slot.signature)
    );
  } catch {
    return false;
  }
}
