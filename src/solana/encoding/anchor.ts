import { sha256 } from "@noble/hashes/sha2.js";
import {
  type Codec,
  createCodec,
  type Decoder,
  type Encoder,
  type FixedSizeCodec,
  fixCodecSize,
  getArrayCodec,
  getBytesCodec,
  getU32Codec,
  getUtf8Encoder,
  isFixedSize,
} from "@solana/kit";

/** One error for all, because a stack per refusal costs more than the comparison. */
const OTHER_BYTES = new Error("The bytes begin with another discriminator");

/** Returns the eight-byte Anchor discriminator of an account, an instruction or an event. */
export function anchorDiscriminator(
  namespace: "account" | "global" | "event",
  name: string,
): Uint8Array {
  return sha256(new Uint8Array(getUtf8Encoder().encode(`${namespace}:${name}`))).slice(0, 8);
}

/**
 * Prefixes a codec with an Anchor discriminator; decoding other bytes throws. Data is offered to one codec after the other
 * until one takes it, so a refusal must cost little.
 */
export function withDiscriminator<TCodec extends Encoder<never> & Decoder<unknown>>(
  discriminator: Uint8Array,
  body: TCodec,
): TCodec {
  const prefix = discriminator.length;
  const inner = body as unknown as Codec<unknown>;
  const size = isFixedSize(inner)
    ? { fixedSize: inner.fixedSize + prefix }
    : { getSizeFromValue: (value: unknown) => inner.getSizeFromValue(value) + prefix };
  const codec: Codec<unknown> = createCodec({
    ...size,
    write(value: unknown, bytes, offset) {
      bytes.set(discriminator, offset);
      return inner.write(value, bytes, offset + prefix);
    },
    read(bytes, offset): [unknown, number] {
      if (!discriminator.every((byte, at) => bytes[offset + at] === byte)) throw OTHER_BYTES;
      return inner.read(bytes, offset + prefix);
    },
  });
  // The casts are sound: a hidden prefix changes the bytes, not the values
  return codec as unknown as TCodec;
}

/** Borsh vector: a 32-bit count, then the items. */
export function vec<TFrom, TTo extends TFrom>(item: Codec<TFrom, TTo>): Codec<TFrom[], TTo[]> {
  return getArrayCodec(item, { size: getU32Codec() });
}

/** Codec for bytes this product does not interpret but must preserve unchanged. */
export function reserved(size: number) {
  return fixCodecSize(getBytesCodec(), size);
}

/** An account of fixed size behind an Anchor discriminator. */
export interface AccountLayout<T> {
  readonly name: string;
  /** Size in bytes, discriminator included. */
  readonly size: number;
  readonly discriminator: Uint8Array;
  /** Returns whether the data has this layout's discriminator. */
  matches(data: Uint8Array): boolean;
  /** Throws when the discriminator differs or the data is too short. Longer data is allowed: accounts may grow. */
  decode(data: Uint8Array): T;
  encode(value: T): Uint8Array;
  /** Returns the value whose bytes after the discriminator are all zero. */
  zero(): T;
}

/** Creates the layout of an Anchor account from the codec of its fields. */
export function accountLayout<TFrom, TTo extends TFrom>(
  name: string,
  body: FixedSizeCodec<TFrom, TTo>,
): AccountLayout<TTo> {
  const discriminator = anchorDiscriminator("account", name);
  const codec = withDiscriminator(discriminator, body);
  return {
    name,
    size: 8 + body.fixedSize,
    discriminator,
    matches: (data) => data.length >= 8 && discriminator.every((byte, at) => data[at] === byte),
    decode: (data) => codec.decode(data),
    encode: (value) => new Uint8Array(codec.encode(value)),
    zero: () => body.decode(new Uint8Array(body.fixedSize)),
  };
}
