import { ed25519 } from "@noble/curves/ed25519.js";
import {
  address,
  type Address,
  type Blockhash,
  getBase58Encoder,
  getUtf8Encoder,
  type Signature,
} from "@solana/kit";
import { encodeBase58 } from "../domain/base58.ts";
import { addressBytes } from "./encoding/address-codec.ts";
import { instruction, signer } from "./encoding/instruction.ts";
import type { Keypair } from "./encoding/keys.ts";
import { compileTransaction } from "./transaction.ts";
import { firstSignature, readWire, type Wire, withSignatures } from "./wire.ts";

/** Inserts a signature into the wire bytes. Throws when the transaction does not require that signer. */
export function attachSignature(
  bytes: Uint8Array,
  signer: Address,
  signature: Uint8Array,
): Uint8Array {
  const wire = readWire(bytes);
  requireSigner(wire, signer);
  return withSignatures(wire, new Map([[signer, signature]]));
}

function requireSigner({ signers }: Pick<Wire, "signers">, signer: Address): void {
  if (signers.some(({ address }) => address === signer)) return;
  throw new Error(`The transaction does not ask ${signer} to sign`);
}

/** Returns the Ed25519 signature of a message under a 32-byte private seed. */
export type SignMessage = (message: Uint8Array, seed: Uint8Array) => Uint8Array;

/** Signs wire bytes with a key pair and returns them with the signature in place. */
export function signTransaction(bytes: Uint8Array, { address, seed }: Keypair): Uint8Array {
  const wire = readWire(bytes);
  requireSigner(wire, address);
  return withSignatures(wire, new Map([[address, ed25519.sign(wire.messageBytes, seed)]]));
}

/** Returns the transaction's id, its fee payer's signature. Throws when it is missing. */
export function signatureOf(bytes: Uint8Array): Signature {
  return encodeBase58(firstSignature(bytes)) as Signature;
}

/** Verifies one Ed25519 signature strictly: no malleable encoding, no key of small order. */
export type VerifySignature = (
  signature: Uint8Array,
  message: Uint8Array,
  publicKey: Uint8Array,
) => boolean;

/** Returns the signers whose signature is missing or wrong; `verify` is supplied by the host. */
export function unsignedSigners(bytes: Uint8Array, verify: VerifySignature): readonly Address[] {
  const { messageBytes, signers } = readWire(bytes);
  return signers
    .filter(
      ({ address, signature }) =>
        signature === null || !verify(signature, messageBytes, addressBytes(address)),
    )
    .map(({ address }) => address);
}

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
export const ENDED_BLOCKHASH = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d" as Blockhash;

/** Returns the instruction that carries a text. */
export const memoOf = (wallet: Address, text: string) =>
  instruction(MEMO_PROGRAM, [signer(wallet)], utf8.encode(text));

/** Returns the unsigned transaction in whose place a wallet that signs no messages signs a text to sign in. */
export const signInTransaction = (wallet: Address, text: string): Uint8Array =>
  compileTransaction({
    feePayer: wallet,
    lifetime: { blockhash: ENDED_BLOCKHASH, lastValidBlockHeight: 0n },
    instructions: [memoOf(wallet, text)],
  });
