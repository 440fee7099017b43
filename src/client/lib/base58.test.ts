import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeBase58, encodeBase58 } from "./base58.ts";

describe("base58", () => {
  it("writes the system program's address for 32 zeros", () => {
    expect(encodeBase58(new Uint8Array(32))).toBe("1".repeat(32));
  });

  it("reads back what it wrote", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        expect(decodeBase58(encodeBase58(bytes))).toEqual(Uint8Array.from(bytes));
      }),
    );
  });

  it("refuses characters outside the alphabet", () => {
    expect(() => decodeBase58("0")).toThrow("Not base58");
  });
});
