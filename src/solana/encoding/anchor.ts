import { sha256 } from "@noble/hashes/sha2.js";
import {
  type Codec,
  createCodec,
  type Decoder,
  type Encoder,
  getArrayCodec,
  getStructCodec,
  getU32Codec,
  getUtf8Encoder,
  isFixedSize,
  type ReadonlyUint8Array,
} from "@solana/kit";
import { type InPlaceCodec, inPlace, viewOf } from "./in-place.ts";

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

// Any codec is a field, whatever it reads
// oxlint-disable-next-line typescript/no-explicit-any
type Fields = readonly (readonly [name: string, codec: Codec<any>])[];

type StructOf<F extends Fields> = {
  [Field in F[number] as Field[0]]: Field[1] extends Decoder<infer T> ? T : never;
};

/** Codec of an account, an instruction's arguments or an event: the discriminator of its name, then its fields. */
export function anchorStruct<const F extends Fields>(
  namespace: "account" | "global" | "event",
  name: string,
  fields: F,
): Codec<StructOf<F>> {
  const body = getStructCodec(fields) as unknown as Codec<StructOf<F>>;
  return withDiscriminator(anchorDiscriminator(namespace, name), body);
}

/** Borsh vector: a 32-bit count, then the items. */
export function vec<TFrom, TTo extends TFrom>(item: Codec<TFrom, TTo>): Codec<TFrom[], TTo[]> {
  return getArrayCodec(item, { size: getU32Codec() });
}

/** Codec for bytes this product does not interpret but must preserve unchanged. */
export function reserved(size: number): InPlaceCodec<ReadonlyUint8Array> {
  const at = (view: DataView, offset: number) =>
    new Uint8Array(view.buffer, view.byteOffset + offset, size);
  return inPlace<ReadonlyUint8Array, number>(
    size,
    (view, offset) => at(view, offset).slice(),
    (view, offset, bytes) => {
      if (bytes.length !== size) throw new RangeError(`${size} bytes are reserved`);
      at(view, offset).set(bytes);
    },
  );
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
export function accountLayout<T>(name: string, body: InPlaceCodec<T>): AccountLayout<T> {
  const discriminator = anchorDiscriminator("account", name);
  const size = discriminator.length + body.fixedSize;
  const matches = (data: Uint8Array) =>
    data.length >= discriminator.length && discriminator.every((byte, at) => data[at] === byte);
  return {
    name,
    size,
    discriminator,
    matches,
    decode(data) {
      if (!matches(data)) throw OTHER_BYTES;
      return body.get(viewOf(data), discriminator.length);
    },
    encode(value) {
      const data = new Uint8Array(size);
      data.set(discriminator);
      body.put(viewOf(data), discriminator.length, value);
      return data;
    },
    zero: () => body.decode(new Uint8Array(body.fixedSize)),
  };
}
