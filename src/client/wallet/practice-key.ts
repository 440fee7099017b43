import { ed25519 } from "@noble/curves/ed25519.js";
import * as z from "zod/mini";
import { encodeBase58 } from "../../domain/base58.ts";
import { storedValue } from "../lib/stored.ts";

const storedSecret = storedValue(
  "practice-wallet",
  1,
  z.object({ secret: z.string().check(z.regex(/^[0-9a-f]{64}$/)), isTrusted: z.boolean() }),
);

const toHex = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const fromHex = (hex: string) =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));

export interface PracticeKey {
  readonly publicKey: Uint8Array;
  readonly address: string;
  /** True when the user allowed this page to connect before. */
  readonly isTrusted: boolean;
  sign(bytes: Uint8Array): Uint8Array;
  setTrusted(isTrusted: boolean): void;
}

/** Loads this browser's practice key, creating it on first use. It only works on the practice network. */
export async function openPracticeKey(): Promise<PracticeKey> {
  const stored = storedSecret.read() ?? {
    secret: toHex(ed25519.utils.randomSecretKey()),
    isTrusted: false,
  };
  storedSecret.write(stored);
  const secret = fromHex(stored.secret);
  const publicKey = ed25519.getPublicKey(secret);
  return {
    publicKey,
    address: encodeBase58(publicKey),
    isTrusted: stored.isTrusted,
    sign: (bytes) => ed25519.sign(bytes, secret),
    setTrusted: (isTrusted) => storedSecret.write({ ...stored, isTrusted }),
  };
}
