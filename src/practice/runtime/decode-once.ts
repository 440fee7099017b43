interface Decoder<T> {
  decode(data: Uint8Array): T;
}

/** Account data is immutable, so its decoded form can be cached as long as the data exists. */
const decoded = new WeakMap<Decoder<unknown>, WeakMap<Uint8Array, unknown>>();

/** Decodes an account's data once per data and decoder. The result is shared: never change it. */
export function decodeOnce<T>(codec: Decoder<T>, data: Uint8Array): T {
  let known = decoded.get(codec);
  if (known === undefined) {
    known = new WeakMap();
    decoded.set(codec, known);
  }
  if (known.has(data)) return known.get(data) as T;
  const value = codec.decode(data);
  known.set(data, value);
  return value;
}
