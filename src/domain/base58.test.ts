import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeBase58, encodeBase58 } from "./base58.ts";

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** Returns the text's value as a number read in base 58. */
const valueOf = (text: string): bigint =>
  Array.from(text).reduce((value, letter) => value * 58n + BigInt(ALPHABET.indexOf(letter)), 0n);

const bytesOf = (length: number) =>
  fc.oneof(
    fc.uint8Array({ minLength: length, maxLength: length }),
    fc
      .array(fc.constantFrom(0, 255), { minLength: length, maxLength: length })
      .map(Uint8Array.from.bind(Uint8Array)),
  );

describe("Base58", () => {
  it.each([1, 2, 3, 4, 31, 32, 33, 38, 64])("round-trips every %i bytes", (length) => {
    fc.assert(
      fc.property(bytesOf(length), (bytes) => {
        const text = encodeBase58(bytes);
        expect(decodeBase58(text, length)).toEqual(Uint8Array.from(bytes));
        expect(valueOf(text)).toBe(BigInt(`0x${Buffer.from(bytes).toString("hex")}`));
      }),
    );
  });

  it("has one spelling for every value", () => {
    const letters = fc.string({
      unit: fc.constantFrom(...Array.from(ALPHABET)),
      minLength: 43,
      maxLength: 44,
    });
    fc.assert(
      fc.property(letters, (text) => {
        const bytes = decodeBase58(text, 32);
        if (bytes !== null) expect(encodeBase58(bytes)).toBe(text);
      }),
    );
  });

  it("decodes any text like arithmetic does, or refuses it", () => {
    const text = fc.string({ unit: fc.constantFrom(...Array.from(`${ALPHABET}0`)), maxLength: 92 });
    const length = fc.constantFrom(1, 2, 31, 32, 33, 64);
    fc.assert(
      fc.property(text, length, (letters, bytes) => {
        const zeros = /^1*/.exec(letters)?.[0].length ?? 0;
        const isBase58 = letters !== "" && !letters.includes("0");
        const hex = isBase58 ? valueOf(letters).toString(16).replace(/^0$/, "") : "";
        const fits = isBase58 && zeros + Math.ceil(hex.length / 2) === bytes;
        const read = decodeBase58(letters, bytes);
        expect(read === null ? null : Buffer.from(read).toString("hex")).toBe(
          fits ? hex.padStart(2 * bytes, "0") : null,
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it("encodes known bytes as published", () => {
    expect(encodeBase58(new Uint8Array(32))).toBe("1".repeat(32));
    expect(encodeBase58(new TextEncoder().encode("Hello World!"))).toBe("2NEpo7TZRRrLZSi2U");
    expect(encodeBase58(new Uint8Array())).toBe("");
  });

  it.each([
    ["one leading one too many", "1".repeat(33)],
    ["one byte too few", "1".repeat(31)],
    ["letters outside the alphabet", "0OIl".repeat(10)],
    ["one letter outside the alphabet", `${"1".repeat(31)}0`],
    ["a value of 33 bytes", "z".repeat(45)],
    ["nothing", ""],
    ["far too much", "2".repeat(100_000)],
  ])("refuses %s", (_name, text) => {
    expect(decodeBase58(text, 32)).toBeNull();
  });
});
