import { AppError } from "../../contract/errors.ts";
import type { Clock } from "../../domain/clock.ts";
import type { NonceSeal } from "./nonce-seal.ts";
import { signInMessage } from "./sign-in-message.ts";
import { isWalletAddress } from "./wallet-key.ts";

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

export interface SignInDeps {
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
