import { getArrayCodec, getStructCodec } from "@solana/kit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bool, i128, i32, i64, u16, u64, u8 } from "../number-codecs.ts";
import { addressCodec, addressOf } from "./address-codec.ts";
import { reserved } from "./anchor.ts";
import { slots, struct } from "./in-place.ts";

const fields = [
  ["owner", addressCodec],
  ["amount", u64],
  ["change", i64],
  ["sum", i128],
  ["market", u16],
  ["offset", i32],
  ["kind", u8],
  ["isOpen", bool],
  ["kept", reserved(8)],
] as const;
const item = struct(fields);
const kits = getStructCodec(fields);
const three = struct([
  ["first", u8],
  ["items", slots(item, 3)],
  ["last", u16],
]);
const kitsThree = getStructCodec([
  ["first", u8],
  ["items", getArrayCodec(kits, { size: 3 })],
  ["last", u16],
]);

/** Bytes of an item, many of them none: a place in use may look unused for long. */
const itemBytes = fc.oneof(
  fc.constant(new Uint8Array(item.fixedSize)),
  fc.uint8Array({ minLength: item.fixedSize, maxLength: item.fixedSize }),
  fc
    .tuple(fc.nat(item.fixedSize - 1), fc.constantFrom(1, 128, 255))
    .map(([at, byte]) => new Uint8Array(item.fixedSize).fill(byte, at, at + 1)),
);

describe("codecs that read and write in place", () => {
  it("read like the library's own codecs, and write the same bytes back", () => {
    fc.assert(
      fc.property(fc.array(itemBytes, { minLength: 3, maxLength: 3 }), (parts) => {
        const bytes = Uint8Array.from([7, ...parts.flatMap((part) => [...part]), 1, 2]);
        const value = three.decode(bytes);
        expect(value).toEqual(kitsThree.decode(bytes));
        expect(three.encode(value)).toEqual(kitsThree.encode(value));
        const own = { ...value, items: value.items.map((each) => ({ ...each })) };
        expect(three.encode(own)).toEqual(kitsThree.encode(value));
      }),
      { numRuns: 500 },
    );
  });

  it("overwrite previous content", () => {
    const bytes = new Uint8Array(three.fixedSize + 4).fill(9);
    three.write(three.decode(new Uint8Array(three.fixedSize)), bytes, 2);
    expect([...bytes]).toEqual([9, 9, ...Array.from({ length: three.fixedSize }, () => 0), 9, 9]);
  });

  it("protect the shared value of unused slots from changes", () => {
    const { items } = three.decode(new Uint8Array(three.fixedSize));
    const [first] = items;
    if (first === undefined) throw new Error("There is no first place");
    expect(() => {
      first.amount = 1n;
    }).toThrow(TypeError);
  });

  it("refuse too few bytes, too few slots and numbers out of range", () => {
    const whole = new Uint8Array(three.fixedSize);
    for (let length = 0; length < whole.length; length += 1) {
      expect(() => three.decode(whole.subarray(0, length))).toThrow();
    }
    const value = three.decode(whole);
    expect(() => three.encode({ ...value, items: value.items.slice(1) })).toThrow(RangeError);
    expect(() => three.encode({ ...value, first: 256 })).toThrow(RangeError);
    expect(() => slots(struct([["odd", u16]]), 4)).toThrow("multiple");
  });

  it("keep values that were read when the bytes change afterwards", () => {
    const bytes = new Uint8Array(item.fixedSize).fill(3);
    const value = item.decode(bytes);
    const before = structuredClone(value);
    bytes.fill(4);
    expect(value).toEqual(before);
    expect(addressOf(bytes)).not.toBe(value.owner);
  });
});
