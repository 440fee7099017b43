import { ed25519, ED25519_TORSION_SUBGROUP } from "@noble/curves/ed25519.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { verifyStrictly } from "../../practice/practice-chain.ts";
import { verifyEd25519 } from "./verify-ed25519.ts";

const seed = new Uint8Array(32).fill(9);
const key = ed25519.getPublicKey(seed);
const message = new TextEncoder().encode("pay nobody");
const signature = ed25519.sign(message, seed);

const toBigInt = (bytes: Uint8Array) =>
  bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
const toBytes = (value: bigint) =>
  Uint8Array.from({ length: 32 }, (_, at) => Number((value >> BigInt(8 * at)) & 0xffn));

describe("the host's verifier", () => {
  it("accepts valid signatures and agrees with the strict verifier on every flipped bit", () => {
    expect(verifyEd25519(signature, message, key)).toBe(true);
    const flip = (bytes: Uint8Array, bit: number) =>
      bytes.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
    fc.assert(
      fc.property(fc.nat(511), fc.constantFrom("signature", "key", "message"), (bit, part) => {
        const changed = [
          part === "signature" ? flip(signature, bit) : signature,
          part === "message" ? flip(message, bit % 80) : message,
          part === "key" ? flip(key, bit % 256) : key,
        ] as const;
        expect(verifyEd25519(...changed)).toBe(false);
        expect(verifyStrictly(...changed)).toBe(false);
      }),
      { numRuns: 100 },
    );
  });

  it("refuses a second spelling of a signature", () => {
    const { n } = ed25519.Point.CURVE();
    const second = Uint8Array.from([
      ...signature.slice(0, 32),
      ...toBytes(toBigInt(signature.slice(32)) + n),
    ]);
    expect(verifyEd25519(second, message, key)).toBe(false);
  });

  it.each(ED25519_TORSION_SUBGROUP)("refuses the key of small order %s", (hex) => {
    const small = Uint8Array.from(Buffer.from(hex, "hex"));
    const { p } = ed25519.Point.CURVE();
    for (const firstHalf of ED25519_TORSION_SUBGROUP) {
      // With a zero second half these fit every message under some key of small order
      const forged = Uint8Array.from([...Buffer.from(firstHalf, "hex"), ...toBytes(0n)]);
      for (let round = 0; round < 16; round += 1) {
        const any = Uint8Array.from([...message, round]);
        expect(verifyEd25519(forged, any, small)).toBe(false);
      }
    }
    const y = toBigInt(small) & (2n ** 255n - 1n);
    if (y < 19n) expect(verifyEd25519(signature, message, toBytes(y + p))).toBe(false);
  });

  it("refuses malformed keys and signatures", () => {
    expect(verifyEd25519(signature.slice(1), message, key)).toBe(false);
    expect(verifyEd25519(signature, message, key.slice(1))).toBe(false);
    expect(verifyEd25519(signature, message, new Uint8Array(32).fill(255))).toBe(false);
  });
});
