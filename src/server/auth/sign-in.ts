import { AppError } from "../../contract/errors.ts";
import type { Clock } from "../../domain/clock.ts";
import type { RandomBytes } from "../new-id.ts";
import type { Db } from "../store/db.ts";
import { insertNonce } from "../store/nonces.ts";
import { encodeBase58 } from "./base58.ts";
import { signInMessage } from "./sign-in-message.ts";
import { walletKey } from "./wallet-key.ts";

/** Life of a sign-in nonce. Spec: decisions §3 */
const NONCE_MS = 5 * 60_000;
const MAX_LIVE_NONCES = 5;

export interface SignInChallenge {
  readonly message: string;
  readonly nonce: string;
  readonly expiresAt: string;
}

/** Writes the message a wallet has to sign and remembers it. */
export async function createChallenge(
  deps: {
    readonly db: Db;
    readonly clock: Clock;
    readonly random: RandomBytes;
    readonly publicUrl: URL;
  },
  wallet: string,
  requester: string,
): Promise<SignInChallenge> {
  if (walletKey(wallet) === null) {
    throw new AppError("bad_request", { fields: { walletAddress: "No wallet has this address." } });
  }
  const issuedAt = deps.clock.now();
  const expiresAt = issuedAt + NONCE_MS;
  const nonce = encodeBase58(deps.random(24)).padStart(32, "1");
  const message = signInMessage({ publicUrl: deps.publicUrl, wallet, nonce, issuedAt, expiresAt });
  await insertNonce(
    deps.db,
    { nonce, wallet, message, requester, issuedAt, expiresAt },
    MAX_LIVE_NONCES,
  );
  return { message, nonce, expiresAt: new Date(expiresAt).toISOString() };
}
