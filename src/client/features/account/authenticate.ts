import { createNonce, createToken } from "../../../contract/auth.ts";
import { call } from "../../lib/api.ts";
import { parseOwner } from "../../../domain/ids.ts";
import { isNetworkError } from "../../lib/problem.ts";
import { wait } from "../../lib/clock.ts";

/** Maximum attempts of a call without an answer. */
export const AUTH_TRIES = 3;

/** Delay between attempts, in milliseconds. */
export const AUTH_RETRY_MS = 1000;

async function withRetries<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isNetworkError(error) || tries >= AUTH_TRIES) throw error;
      await wait(AUTH_RETRY_MS);
    }
  }
}

/** The wallet's signature of a text in base58, or a signed transaction that carries it, in base64. */
export type SignInProof = { readonly signature: string } | { readonly transaction: string };

/**
 * Proves to the server that the wallet is the user's and returns the bearer token. The wallet is asked once, whatever
 * the network does; a refusal is never retried.
 */
export async function authenticate(
  address: string,
  prove: (message: string) => Promise<SignInProof>,
): Promise<string> {
  const walletAddress = parseOwner(address);
  const { message, nonce } = await withRetries(() =>
    call(createNonce, { body: { walletAddress } }),
  );
  const proof = await prove(message);
  const { token } = await withRetries(() =>
    call(createToken, { body: { walletAddress, nonce, ...proof } }),
  );
  return token;
}
