import * as z from "zod/mini";
import type { Schema } from "./route.ts";

type Names<T> = { readonly [K in keyof T]?: string };

type Renamed<T, N> = {
  [K in keyof T as K extends keyof N ? Extract<N[K], string> : K]: T[K];
};

const rename = (value: object, names: Readonly<Record<string, string>>): object =>
  Object.fromEntries(Object.entries(value).map(([name, field]) => [names[name] ?? name, field]));

/** Returns the codec of an object whose fields have other names on the wire; `names` maps them to the domain's. */
export function renamed<S extends z.ZodMiniObject, const N extends Names<z.output<S>>>(
  wire: S,
  names: N,
) {
  const toDomain = names as Readonly<Record<string, string>>;
  const toWire = Object.fromEntries(Object.entries(toDomain).map(([from, to]) => [to, from]));
  return z.codec(wire, z.custom<Renamed<z.output<S>, N>>(), {
    decode: (sent) => rename(sent as object, toDomain) as Renamed<z.output<S>, N>,
    encode: (value) => rename(value, toWire) as z.output<S>,
  });
}

/** Returns the codec of a whole number in a query, sent as digits; `within` brings it into its range. */
export const wholeNumber = (pattern: RegExp, within = (sent: number) => sent) =>
  z.codec(z.string().check(z.regex(pattern)), z.custom<number>(), {
    decode: (digits) => within(parseInt(digits, 10)),
    encode: String,
  });

/** Parts of a schema that lie between a value of the domain and the wire. */
interface Walked {
  readonly reverseTransform?: (value: unknown) => unknown;
  readonly in?: Schema;
  /** Of optional, nullable and default. */
  readonly innerType?: Schema;
  readonly element?: Schema;
  readonly shape?: Readonly<Record<string, Schema>>;
}

/** Returns a value of the domain as it goes over the wire, unchecked: whoever receives it checks it. */
export function encode(schema: Schema | undefined, value: unknown): unknown {
  if (value == null || schema === undefined) return value;
  const { reverseTransform, in: wire, innerType, element, shape } = schema._zod.def as Walked;
  if (reverseTransform) return encode(wire, reverseTransform(value));
  if (innerType) return encode(innerType, value);
  if (element) return (value as readonly unknown[]).map((each) => encode(element, each));
  if (!shape) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, encode(shape[name], field)]),
  );
}
