import { ed25519 } from "@noble/curves/ed25519.js";
import fc from "fast-check";
import { expect, it } from "vitest";
import { signEd25519 } from "./create-trading-key-signer.ts";

it("makes the same bytes as the chain library", () => {
  const seed = fc.uint8Array({ minLength: 32, maxLength: 32 });
  fc.assert(
    fc.property(seed, fc.uint8Array({ maxLength: 1_232 }), (key, message) => {
      expect(signEd25519(message, key)).toEqual(ed25519.sign(message, key));
    }),
    { numRuns: 50 },
  );
});
