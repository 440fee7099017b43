import { ed25519 } from "@noble/curves/ed25519.js";
import { type Address, compileOffchainMessageV1Envelope } from "@solana/kit";
import { expect, it } from "vitest";
import { encodeBase58 } from "../../../domain/base58.ts";
import { signatureIn } from "./signed-text.ts";

const secret = new Uint8Array(32).fill(7);
const address = encodeBase58(ed25519.getPublicKey(secret));
const text = "app.test asks\nfor a text";
const asked = { text, address, host: "app.test" };

const enveloped = (content: string) =>
  Uint8Array.from(
    compileOffchainMessageV1Envelope({
      version: 1,
      content,
      requiredSignatories: [{ address: address as Address }],
    }).content,
  );

const answer = (signedMessage: Uint8Array, signature = ed25519.sign(signedMessage, secret)) => ({
  wallet: "Phantom",
  signature,
  signedMessage,
});

it("is taken out of the envelope of the text, and out of what a device answers", () => {
  const signedMessage = enveloped(text);
  const signature = ed25519.sign(signedMessage, secret);
  const whole = Uint8Array.from([1, ...signature, ...signedMessage]);
  expect(signatureIn(answer(signedMessage), asked)).toEqual(signature);
  expect(signatureIn(answer(signedMessage, whole), asked)).toEqual(signature);
});

it("is refused for another text, and for another wallet's envelope, in words", () => {
  const other = {
    ...asked,
    address: encodeBase58(ed25519.getPublicKey(new Uint8Array(32).fill(8))),
  };
  for (const [given, of] of [
    [enveloped("another"), asked],
    [enveloped(text), other],
  ] as const) {
    expect(() => signatureIn(answer(given), of)).toThrow(
      "Phantom signed another text than it was given. Nothing was changed.",
    );
  }
});
