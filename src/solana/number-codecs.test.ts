import {
  getI128Codec,
  getI16Codec,
  getI32Codec,
  getI64Codec,
  getI8Codec,
  getU128Codec,
  getU16Codec,
  getU32Codec,
  getU64Codec,
  getU8Codec,
} from "@solana/kit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bool, i128, i16, i32, i64, i8, u128, u16, u32, u64, u8 } from "./number-codecs.ts";

const small = [
  ["u8", u8, getU8Codec(), 0, 0xff],
  ["u16", u16, getU16Codec(), 0, 0xffff],
  ["u32", u32, getU32Codec(), 0, 0xffff_ffff],
  ["i8", i8, getI8Codec(), -0x80, 0x7f],
  ["i16", i16, getI16Codec(), -0x8000, 0x7fff],
  ["i32", i32, getI32Codec(), -0x8000_0000, 0x7fff_ffff],
] as const;

const large = [
  ["u64", u64, getU64Codec(), 0n, 2n ** 64n - 1n],
  ["u128", u128, getU128Codec(), 0n, 2n ** 128n - 1n],
  ["i64", i64, getI64Codec(), -(2n ** 63n), 2n ** 63n - 1n],
  ["i128", i128, getI128Codec(), -(2n ** 127n), 2n ** 127n - 1n],
] as const;

describe("number codecs", () => {
  it.each(small)("%s writes kit's bytes and reads them back", (_, codec, kit, min, max) => {
    fc.assert(
      fc.property(fc.oneof(fc.integer({ min, max }), fc.constantFrom(min, max)), (value) => {
        expect(codec.encode(value)).toEqual(kit.encode(value));
        expect(codec.decode(kit.encode(value))).toBe(value);
      }),
    );
    expect(() => codec.encode(max + 1)).toThrow(RangeError);
    expect(() => codec.encode(min - 1)).toThrow(RangeError);
    expect(() => codec.encode(Number.NaN)).toThrow(RangeError);
  });

  it.each(large)("%s writes kit's bytes and reads them back", (_, codec, kit, min, max) => {
    fc.assert(
      fc.property(fc.oneof(fc.bigInt(min, max), fc.constantFrom(min, max, 0n)), (value) => {
        expect(codec.encode(value)).toEqual(kit.encode(value));
        expect(codec.decode(kit.encode(value))).toBe(value);
      }),
    );
    expect(() => codec.encode(max + 1n)).toThrow(RangeError);
    expect(() => codec.encode(min - 1n)).toThrow(RangeError);
  });

  it("read within a slice of a larger buffer, but not beyond its end", () => {
    const slice = Uint8Array.of(9, 9, 1, 0, 0, 0, 7).subarray(2, 6);
    expect(u32.decode(slice)).toBe(1);
    expect(() => u64.decode(slice)).toThrow();
  });

  it("distinguish true from false", () => {
    expect([bool.decode(Uint8Array.of(0)), bool.decode(Uint8Array.of(1))]).toEqual([false, true]);
    expect(bool.encode(true)).toEqual(Uint8Array.of(1));
  });
});
