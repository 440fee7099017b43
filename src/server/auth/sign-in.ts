import { AppError } from "../../contract/errors.ts";
import type { Clock } from "../../domain/clock.ts";
import { isWalletAddress } from "./wallet-key.ts";
import { createHmac, timingSafeEqual } from "node:crypto";
import type { RandomBytes } from "../crypto/new-id.ts";
import { decodeBase58, encodeBase58 } from "../../domain/base58.ts";
import type { Address } from "@solana/kit";
import { decodeTransaction } from "../../solana/decode-transaction.ts";
import { isSameInstruction } from "../../solana/encoding/instruction.ts";
import { ENDED_BLOCKHASH, memoOf } from "../../solana/signing.ts";
import { TRANSACTION_SIZE_LIMIT } from "../../solana/transaction.ts";
import { isAddable } from "../../solana/verify-returned.ts";

/** Fields of the text a wallet signs to sign in, all set by the server. Times in milliseconds. */
interface SignInFields {
  readonly publicUrl: URL;
  readonly wallet: string;
  readonly nonce: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

const STATEMENT = "Sign in to Wheelhouse. This moves no funds and costs nothing.";

/** Writes the Sign In With Solana text, byte for byte what the wallet shows and signs. */
function signInMessage(fields: SignInFields): string {
  return [
    `${fields.publicUrl.host} wants you to sign in with your Solana account:`,
    fields.wallet,
    "",
    STATEMENT,
    "",
    `URI: ${fields.publicUrl.origin}`,
    "Version: 1",
    "Chain ID: mainnet",
    `Nonce: ${fields.nonce}`,
    `Issued At: ${new Date(fields.issuedAt).toISOString()}`,
    `Expiration Time: ${new Date(fields.expiresAt).toISOString()}`,
  ].join("\n");
}

/** Life of a nonce: long enough to read the wallet's window, short enough for a stolen message to be useless. */
export const NONCE_MS = 5 * 60_000;

/** Largest difference of clocks between the servers of one deployment. */
const MAX_LEAD_MS = 60_000;

const PURPOSE = "sign in";

export interface SignInChallenge {
  readonly message: string;
  readonly nonce: string;
  readonly expiresAt: string;
}

interface SignInDeps {
  readonly clock: Clock;
  readonly nonces: NonceSeal;
  readonly publicUrl: URL;
}

/** Writes the message a wallet has to sign; nothing is stored for it. Whose the address is, is not proved yet. */
export function createChallenge(deps: SignInDeps, wallet: string): SignInChallenge {
  if (!isWalletAddress(wallet)) {
    throw new AppError("bad_request", { fields: { walletAddress: "No wallet has this address." } });
  }
  const issuedAt = deps.clock.now();
  const nonce = deps.nonces.seal([PURPOSE, wallet], issuedAt);
  const message = messageOf(deps, wallet, nonce, issuedAt);
  return { message, nonce, expiresAt: new Date(issuedAt + NONCE_MS).toISOString() };
}

/** Returns what a nonce was given for; null when it was not given to this wallet or is over. */
export function challengeOf(
  deps: SignInDeps,
  wallet: string,
  nonce: string,
): { readonly message: string; readonly expiresAt: number } | null {
  const issuedAt = deps.nonces.open([PURPOSE, wallet], nonce);
  if (issuedAt === null || !isNonceLive(issuedAt, deps.clock.now())) return null;
  return {
    message: messageOf(deps, wallet, nonce, issuedAt),
    expiresAt: issuedAt + NONCE_MS,
  };
}

export function isNonceLive(issuedAt: number, now: number): boolean {
  return now < issuedAt + NONCE_MS && issuedAt <= now + MAX_LEAD_MS;
}

function messageOf({ publicUrl }: SignInDeps, wallet: string, nonce: string, issuedAt: number) {
  return signInMessage({ publicUrl, wallet, nonce, issuedAt, expiresAt: issuedAt + NONCE_MS });
}

const TIME_BYTES = 6;
const RANDOM_BYTES = 16;
const SEAL_BYTES = 16;

/** Length of a nonce: its time, its random part and the seal over both. */
export const NONCE_BYTES = TIME_BYTES + RANDOM_BYTES + SEAL_BYTES;

/** Makes nonces that carry their time and purpose under a keyed digest, so that no row is stored for them. */
export function createNonceSeal(secret: Uint8Array, random: RandomBytes) {
  const key = createHmac("sha256", secret).update("nonce seal").digest();
  const sealOf = (purpose: readonly string[], body: Uint8Array): Buffer =>
    createHmac("sha256", key)
      .update(JSON.stringify(purpose))
      .update(body)
      .digest()
      .subarray(0, SEAL_BYTES);
  return {
    /** Returns a nonce in base58 for exactly this purpose. */
    seal(purpose: readonly string[], issuedAtMs: number): string {
      const time = Buffer.alloc(TIME_BYTES);
      time.writeUIntBE(issuedAtMs, 0, TIME_BYTES);
      const body = Buffer.concat([time, random(RANDOM_BYTES)]);
      return encodeBase58(Buffer.concat([body, sealOf(purpose, body)]));
    },
    /** Returns the time a nonce was issued; null when it is forged or has another purpose. */
    open(purpose: readonly string[], nonce: string): number | null {
      const bytes = decodeBase58(nonce, NONCE_BYTES);
      if (bytes === null) return null;
      const body = Buffer.from(bytes.subarray(0, TIME_BYTES + RANDOM_BYTES));
      const given = bytes.subarray(TIME_BYTES + RANDOM_BYTES);
      return timingSafeEqual(given, sealOf(purpose, body)) ? body.readUIntBE(0, TIME_BYTES) : null;
    },
  };
}

export type NonceSeal = ReturnType<typeof createNonceSeal>;

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
