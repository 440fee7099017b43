import { type InPlaceCodec, inPlace } from "./encoding/in-place.ts";

function fixed<T extends number | bigint>(
  size: number,
  range: readonly [least: T, most: T],
  read: (view: DataView, offset: number) => T,
  write: (view: DataView, offset: number, value: T) => void,
): InPlaceCodec<T> {
  const [least, most] = range;
  return inPlace(size, read, (view, offset, value) => {
    if (!(value >= least && value <= most)) {
      throw new RangeError(`${value} does not fit between ${least} and ${most}`);
    }
    write(view, offset, value);
  });
}

const WORD = 64n;
const MASK = (1n << WORD) - 1n;

function writeWide(view: DataView, offset: number, value: bigint): void {
  view.setBigUint64(offset, value & MASK, true);
  view.setBigUint64(offset + 8, (value >> WORD) & MASK, true);
}

/** Unsigned byte. */
export const u8 = fixed<number>(
  1,
  [0, 0xff],
  (view, at) => view.getUint8(at),
  (view, at, value) => view.setUint8(at, value),
);

/** Unsigned 16-bit number, little endian like all numbers here. */
export const u16 = fixed<number>(
  2,
  [0, 0xffff],
  (view, at) => view.getUint16(at, true),
  (view, at, value) => view.setUint16(at, value, true),
);

/** Unsigned 32-bit number. */
export const u32 = fixed<number>(
  4,
  [0, 0xffff_ffff],
  (view, at) => view.getUint32(at, true),
  (view, at, value) => view.setUint32(at, value, true),
);

/** Unsigned 64-bit number. */
export const u64 = fixed<bigint>(
  8,
  [0n, MASK],
  (view, at) => view.getBigUint64(at, true),
  (view, at, value) => view.setBigUint64(at, value, true),
);

/** Unsigned 128-bit number. */
export const u128 = fixed<bigint>(
  16,
  [0n, (1n << 128n) - 1n],
  (view, at) => (view.getBigUint64(at + 8, true) << WORD) | view.getBigUint64(at, true),
  writeWide,
);

/** Signed byte. */
export const i8 = fixed<number>(
  1,
  [-0x80, 0x7f],
  (view, at) => view.getInt8(at),
  (view, at, value) => view.setInt8(at, value),
);

/** Signed 16-bit number. */
export const i16 = fixed<number>(
  2,
  [-0x8000, 0x7fff],
  (view, at) => view.getInt16(at, true),
  (view, at, value) => view.setInt16(at, value, true),
);

/** Signed 32-bit number. */
export const i32 = fixed<number>(
  4,
  [-0x8000_0000, 0x7fff_ffff],
  (view, at) => view.getInt32(at, true),
  (view, at, value) => view.setInt32(at, value, true),
);

/** Signed 64-bit number. */
export const i64 = fixed<bigint>(
  8,
  [-(1n << 63n), (1n << 63n) - 1n],
  (view, at) => view.getBigInt64(at, true),
  (view, at, value) => view.setBigInt64(at, value, true),
);

/** Signed 128-bit number. */
export const i128 = fixed<bigint>(
  16,
  [-(1n << 127n), (1n << 127n) - 1n],
  (view, at) => (view.getBigInt64(at + 8, true) << WORD) | view.getBigUint64(at, true),
  writeWide,
);

/** One byte, 0 or 1; any other byte reads as true. */
export const bool: InPlaceCodec<boolean> = inPlace(
  1,
  (view, at) => view.getUint8(at) !== 0,
  (view, at, value) => view.setUint8(at, value ? 1 : 0),
);
