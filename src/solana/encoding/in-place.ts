import { createCodec, type FixedSizeCodec } from "@solana/kit";

/**
 * A codec of fixed size that also reads and writes at a place within an account: one view of its bytes for hundreds of
 * fields, and nothing made on the way.
 */
export interface InPlaceCodec<T, Size extends number = number> extends FixedSizeCodec<T, T, Size> {
  get(view: DataView, at: number): T;
  put(view: DataView, at: number, value: T): void;
}

type Bytes = Readonly<Record<"byteOffset" | "byteLength", number>> & {
  readonly buffer: ArrayBufferLike;
};

/** Returns a view of the same bytes. */
export const viewOf = ({ buffer, byteOffset, byteLength }: Bytes): DataView =>
  new DataView(buffer, byteOffset, byteLength);

/** Makes a codec of what reads and writes in place; both throw beyond the bytes' end. */
export function inPlace<T, Size extends number>(
  size: Size,
  get: InPlaceCodec<T>["get"],
  put: InPlaceCodec<T>["put"],
): InPlaceCodec<T, Size> {
  const codec = createCodec<T, T, Size>({
    fixedSize: size,
    read: (bytes, offset): [T, number] => [get(viewOf(bytes as Bytes), offset), offset + size],
    write(value: T, bytes, offset) {
      put(viewOf(bytes as Bytes), offset, value);
      return offset + size;
    },
  });
  return { ...codec, get, put };
}

// Any codec is a field, whatever it reads
// oxlint-disable-next-line typescript/no-explicit-any
type Fields = readonly (readonly [name: string, codec: InPlaceCodec<any>])[];

type StructOf<F extends Fields> = {
  [Field in F[number] as Field[0]]: Field[1] extends InPlaceCodec<infer T> ? T : never;
};

/** Composes a struct of fields that are stored one after the other. */
export function struct<const F extends Fields>(fields: F): InPlaceCodec<StructOf<F>> {
  const names = fields.map(([name]) => name);
  const codecs = fields.map(([, codec]) => codec);
  let size = 0;
  const offsets = codecs.map(({ fixedSize }) => {
    size += fixedSize;
    return size - fixedSize;
  });
  type Values = Record<string, unknown>;
  return inPlace(
    size,
    (view, at) => {
      const values: Values = {};
      // By index: the loop is what reading and writing an account consists of
      for (let field = 0; field < names.length; field += 1) {
        values[names[field] ?? ""] = codecs[field]?.get(view, at + (offsets[field] ?? 0));
      }
      return values as StructOf<F>;
    },
    (view, at, values) => {
      for (let field = 0; field < names.length; field += 1) {
        const value = (values as Values)[names[field] ?? ""];
        codecs[field]?.put(view, at + (offsets[field] ?? 0), value);
      }
    },
  );
}

/** Reads eight bytes at a time as a number: only eight zero bytes give 0 without a sign. */
function isZero(view: DataView, from: number, to: number): boolean {
  for (let at = from; at < to; at += 8) if (!Object.is(view.getFloat64(at), 0)) return false;
  return true;
}

/**
 * A number of places of which few are used: those whose bytes are all zero are read as one frozen value, field for field
 * what reading them would give. The size of an item is a multiple of eight bytes.
 */
export function slots<T>(item: InPlaceCodec<T>, count: number): InPlaceCodec<T[]> {
  const { fixedSize: size } = item;
  if (size % 8 !== 0) throw new Error("A slot is a multiple of eight bytes");
  const unused = Object.freeze(item.decode(new Uint8Array(size)));
  return inPlace(
    size * count,
    (view, at) =>
      Array.from({ length: count }, (_, index) => {
        const from = at + index * size;
        return isZero(view, from, from + size) ? unused : item.get(view, from);
      }),
    (view, at, items) => {
      if (items.length !== count) throw new RangeError(`There are ${count} places`);
      for (let index = 0; index < count; index += 1) {
        const [value, from] = [items[index] as T, at + index * size];
        if (value !== unused) item.put(view, from, value);
        else for (let byte = 0; byte < size; byte += 8) view.setFloat64(from + byte, 0);
      }
    },
  );
}
