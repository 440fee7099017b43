import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeBase58, encodeBase58 } from "./base58.ts";

describe("Base58", () => {
  it("reads back every 32 bytes it wrote", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        expect(decodeBase58(encodeBase58(bytes), 32)).toEqual(bytes);
      }),
    );
  });

  it("spells known bytes as everyone does", () => {
    expect(encodeBase58(new Uint8Array(32))).toBe("1".repeat(32));
    expect(encodeBase58(new TextEncoder().encode("Hello World!"))).toBe("2NEpo7TZRRrLZSi2U");
  });

  it.each([
    ["one leading one too many", "1".repeat(33)],
    ["one byte too few", "1".repeat(31)],
    ["letters outside the alphabet", "0OIl".repeat(10)],
    ["nothing", ""],
    ["far too much", "2".repeat(100_000)],
  ])("refuses %s", (_name, text) => {
    expect(decodeBase58(text, 32)).toBeNull();
  });
});
