import { describe, expect, it } from "vitest";
import { deriveKeypair, keypairFromSeed } from "./keys.ts";

const secret = new Uint8Array(32).fill(7);

describe("deriveKeypair", () => {
  it("gives the same key for the same label and another for another", () => {
    expect(deriveKeypair(secret, "agent:1")).toEqual(deriveKeypair(secret, "agent:1"));
    expect(deriveKeypair(secret, "agent:1").address).not.toBe(
      deriveKeypair(secret, "agent:2").address,
    );
    expect(deriveKeypair(new Uint8Array(32).fill(8), "agent:1").address).not.toBe(
      deriveKeypair(secret, "agent:1").address,
    );
  });

  it("refuses a short secret", () => {
    expect(() => deriveKeypair(new Uint8Array(31), "agent:1")).toThrow("32 bytes");
  });

  it("derives the public key of RFC 8032's first test vector", () => {
    const seed = Uint8Array.from(
      "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60".match(/../g) ?? [],
      (byte) => Number.parseInt(byte, 16),
    );
    expect(keypairFromSeed(seed).address).toBe("FVen3X669xLzsi6N2V91DoiyzHzg1uAgqiT8jZ9nS96Z");
  });
});
