import { ed25519 } from "@noble/curves/ed25519.js";
import { encodeBase58 } from "../src/server/auth/base58.ts";
import type { TestServer } from "./server.ts";

/** A wallet with a real key. */
export interface TestWallet {
  readonly address: string;
  readonly secretKey: Uint8Array;
  /** Signature over the text, in base58. */
  sign(text: string): string;
}

export function createTestWallet(): TestWallet {
  const { secretKey, publicKey } = ed25519.keygen();
  return {
    address: encodeBase58(publicKey),
    secretKey,
    sign: (text) => encodeBase58(ed25519.sign(new TextEncoder().encode(text), secretKey)),
  };
}

/** A wallet with an open session. */
export interface SignedIn extends TestWallet {
  readonly token: string;
  /** `name=value` of the refresh cookie. */
  readonly cookie: string;
}

/** Signs in over HTTP like a browser does. */
export async function signIn(server: TestServer, wallet = createTestWallet()): Promise<SignedIn> {
  const challenge = await server.send("POST", "/api/auth/nonce", {
    body: { walletAddress: wallet.address },
  });
  if (challenge.status !== 200) throw new Error(`No nonce: ${challenge.text}`);
  const { message, nonce } = challenge.body;
  const answer = await server.send("POST", "/api/auth/token", {
    body: { walletAddress: wallet.address, nonce, signature: wallet.sign(message) },
  });
  if (answer.status !== 200) throw new Error(`No token: ${answer.text}`);
  return { ...wallet, token: answer.body.token, cookie: cookieOf(answer.headers) };
}

/** Returns the cookie an answer sets, as a request sends it back. */
export function cookieOf(headers: Headers): string {
  return headers.get("set-cookie")?.split(";", 1)[0] ?? "";
}
