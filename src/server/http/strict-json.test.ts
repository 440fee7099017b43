import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseStrictJson, StrictJsonError } from "./strict-json.ts";

const bytes = (...values: number[]) => Uint8Array.from(values);

describe("Strict JSON", () => {
  it("parses what JSON.stringify writes", () => {
    const wellFormed = fc.string({ unit: "grapheme" }).filter((text) => text.isWellFormed());
    const keys = wellFormed.filter((key) => key !== "__proto__");
    const json = fc.jsonValue({ maxDepth: 8, stringUnit: "grapheme" });
    fc.assert(
      fc.property(fc.dictionary(keys, json), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!text.includes('"__proto__"') && text.isWellFormed());
        expect(parseStrictJson(text)).toEqual(JSON.parse(text));
        expect(parseStrictJson(new TextEncoder().encode(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it("agrees with JSON.parse on what is not JSON", () => {
    const soup = fc.string({
      unit: fc.constantFrom(...'[]{}:,"\\ntrue1.e-+0 \n\u0001aé'.split("")),
      maxLength: 12,
    });
    fc.assert(
      fc.property(soup, (text) => {
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        fc.pre(!isJson);
        expect(() => parseStrictJson(text)).toThrow(StrictJsonError);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ["a key twice", '{"a":1,"a":2}'],
    ["a key twice in other spelling", '{"a":1,"\\u0061":2}'],
    ["__proto__", '{"__proto__":{"isAdmin":true}}'],
    ["half a character", '"\\ud800"'],
    ["a number beyond range", "1e309"],
    ["21 levels", "[".repeat(21) + "]".repeat(21)],
    ["200,000 levels", "[".repeat(200_000)],
    ["200,000 objects", '{"a":'.repeat(200_000)],
    ["text after the value", "{} {}"],
    ["nothing", ""],
    ["an unfinished text", '"abc'],
    ["an unfinished escape", '"abc\\'],
    ["a raw line break in a text", '"a\nb"'],
  ])("refuses %s", (_name, text) => {
    expect(() => parseStrictJson(text)).toThrow(StrictJsonError);
  });

  it.each([
    ["an overlong byte pair", bytes(0x22, 0xc3, 0x28, 0x22)],
    ["an encoded surrogate", bytes(0x22, 0xed, 0xa0, 0x80, 0x22)],
    ["a byte order mark", bytes(0xef, 0xbb, 0xbf, 0x7b, 0x7d)],
  ])("refuses %s", (_name, input) => {
    expect(() => parseStrictJson(input)).toThrow(StrictJsonError);
  });

  it("accepts 20 levels and leaves prototypes alone", () => {
    expect(parseStrictJson("[".repeat(20) + "]".repeat(20))).toBeInstanceOf(Array);
    parseStrictJson('{"constructor":{"prototype":{"x":1}}}');
    expect({}).not.toHaveProperty("x");
  });
});
