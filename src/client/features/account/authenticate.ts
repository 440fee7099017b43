import { createNonce, createToken } from "../../../contract/auth.ts";
import { encodeBase58 } from "../../../domain/base58.ts";
import { call } from "../../lib/api.ts";
import { parseOwner } from "../../../domain/ids.ts";
import { isNetworkError } from "../../lib/problem.ts";
import { wait } from "../../lib/clock.ts";
import type { WalletSession } from "../../wallet/wallet-session.ts";

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

/** What a wallet signs to sign in: the text, or where it signs no messages a transaction that carries it. */
export type SignInWay = "message" | "transaction";

const loadSignedText = () => import("../../custody/check/signed-text.ts");

/** Returns the wallet's signature of a text in base58; what checks an envelope around it is loaded for one alone. */
export async function signatureOf(wallet: WalletSession, text: string): Promise<string> {
  const answer = await wallet.signMessage(text);
  const isPlain = new TextDecoder().decode(answer.signedMessage) === text;
  const asked = { text, address: wallet.store.getState().address, host: location.host };
  return encodeBase58(
    isPlain ? answer.signature : (await loadSignedText()).signatureIn(answer, asked),
  );
}

/**
 * Proves to the server that the wallet is the user's and returns the bearer token. The wallet is asked once, whatever
 * the network does; a refusal is never retried.
 */
export async function authenticate(
  wallet: WalletSession,
  address: string,
  way: SignInWay,
): Promise<string> {
  const walletAddress = parseOwner(address);
  const { message, nonce } = await withRetries(() =>
    call(createNonce, { body: { walletAddress } }),
  );
  const proof =
    way === "message"
      ? { signature: await signatureOf(wallet, message) }
      : await (await loadSignedText()).signTransactionWith(wallet, message, address);
  const { token } = await withRetries(() =>
    call(createToken, { body: { walletAddress, nonce, ...proof } }),
  );
  return token;
}
