import { ed25519 } from "@noble/curves/ed25519.js";
import {
  type Address,
  compileOffchainMessageV0Envelope,
  OffchainMessageContentFormat,
} from "@solana/kit";
import { encodeBase58 } from "../src/domain/base58.ts";
import { type OwnerAddress, parseOwner } from "../src/domain/ids.ts";
import type { Answer, TestServer } from "./server.ts";

/** A wallet with a real key. */
export interface TestWallet {
  readonly address: OwnerAddress;
  readonly secretKey: Uint8Array;
  /** Signature over the text, in base58. */
  sign(text: string): string;
}

export function createTestWallet(): TestWallet {
  const { secretKey, publicKey } = ed25519.keygen();
  return {
    address: parseOwner(encodeBase58(publicKey)),
    secretKey,
    sign: (text) => encodeBase58(ed25519.sign(new TextEncoder().encode(text), secretKey)),
  };
}

/** A wallet that signs no text but in the envelope of an off-chain message, as hardware wallets do; Kit writes it. */
export function createEnvelopeWallet(): TestWallet {
  const wallet = createTestWallet();
  const sign = (text: string) => {
    const { content } = compileOffchainMessageV0Envelope({
      version: 0,
      applicationDomain: "11111111111111111111111111111111",
      content: { format: OffchainMessageContentFormat.UTF8_65535_BYTES_MAX, text },
      requiredSignatories: [{ address: wallet.address as string as Address }],
    } as never);
    return encodeBase58(ed25519.sign(Uint8Array.from(content), wallet.secretKey));
  };
  return { ...wallet, sign };
}

/** A wallet with an open session. */
export interface SignedIn extends TestWallet {
  readonly token: string;
  /** `name=value` of the refresh cookie. */
  readonly cookie: string;
}

/** Signs in over HTTP like a browser does. */
export async function signIn(
  server: TestServer,
  wallet: TestWallet = createTestWallet(),
  headers: Record<string, string> = {},
): Promise<SignedIn> {
  const challenge = await server.send("POST", "/api/auth/nonce", {
    body: { walletAddress: wallet.address },
  });
  if (challenge.status !== 200) throw new Error(`No nonce: ${challenge.text}`);
  const { message, nonce } = challenge.body;
  const answer = await server.send("POST", "/api/auth/token", {
    body: { walletAddress: wallet.address, nonce, signature: wallet.sign(message) },
    headers,
  });
  if (answer.status !== 200) throw new Error(`No token: ${answer.text}`);
  return { ...wallet, token: answer.body.token, cookie: cookieOf(answer.headers) };
}

/** Returns the cookie an answer sets, as a request sends it back. */
export function cookieOf(headers: Headers): string {
  return headers.get("set-cookie")?.split(";", 1)[0] ?? "";
}

/** What a call needs to be repeated with after it was answered with `confirmation_needed`. */
export function proofOf(asked: Answer, wallet: TestWallet): string {
  const { nonce, message } = asked.body.confirm;
  return `${nonce} ${wallet.sign(message)}`;
}

/** Makes a call as the page does: where the owner has to confirm it, the wallet signs and the call is repeated. */
export async function sendConfirmed(
  server: Pick<TestServer, "send">,
  wallet: SignedIn,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const call = { token: wallet.token, ...(body === undefined ? {} : { body }) };
  const asked = await server.send(method, path, call);
  if (asked.status !== 403) return asked;
  const headers = { "x-wheelhouse-confirmation": proofOf(asked, wallet) };
  return server.send(method, path, { ...call, headers });
}
