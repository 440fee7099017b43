import * as fc from "fast-check";
import type { Schema } from "../src/contract/route.ts";

/** The parts of a schema's definition the generator looks into. */
interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly element?: Schema;
  readonly innerType?: Schema;
  readonly options?: readonly Schema[];
  readonly items?: readonly Schema[];
  readonly entries?: Readonly<Record<string, string>>;
  readonly values?: readonly unknown[];
  readonly in?: Schema;
}

const TEXTS = [
  "",
  " ",
  "x",
  "null",
  "0",
  "-1",
  "1e3",
  "8.2",
  ".",
  "9".repeat(40),
  "on",
  "practice",
  "SOL-PERP",
  "1h",
  "28m",
  "10081m",
  "OPEN_LONG",
  "'; drop table agents; --",
  "__proto__",
  "../..",
  "%2F",
  "a/b",
  "a\u0000b",
  "a\u202eb",
  "\ud83d\ude00",
  "e\u0301".repeat(60),
  "{{timenow}}",
  "2026-11-21T08:00:00.000Z",
  "2026-02-30T00:00:00Z",
  "0".repeat(32),
  "1".repeat(32),
  "1".repeat(44),
  "2".repeat(88),
  "AAAA",
  "A".repeat(4_096),
  "message-0001",
];

const NUMBERS = [0, -0, 1, -1, 60, 61, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e300, 5e-324];

const anyText = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: "grapheme", maxLength: 40 }));

const anything = fc.oneof(
  anyText,
  fc.constantFrom(...NUMBERS, null, true, false),
  fc.constantFrom({}, [], [[]], { $gt: "" }, ["x", "x"]),
);

/** Returns values that mostly fit the schema's shape, with contents chosen to break it. */
export function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 9, arbitrary: shaped(schema) }, { weight: 1, arbitrary: anything });
}

function shaped(schema: Schema): fc.Arbitrary<unknown> {
  const definition = schema._zod.def as unknown as Definition;
  const { type, shape, element, innerType, options, entries, values } = definition;
  switch (type) {
    case "object":
      return fc
        .tuple(
          fc.record(
            Object.fromEntries(
              Object.entries(shape ?? {}).map(([key, value]) => [key, valuesOf(value)]),
            ),
            { requiredKeys: [] },
          ),
          fc.option(fc.constantFrom("unheardOf", "walletAddress", "_id", "constructor"), {
            freq: 8,
          }),
        )
        .map(([record, extra]) => (extra === null ? record : { ...record, [extra]: "x" }));
    case "array":
      return fc.array(element === undefined ? anything : valuesOf(element), { maxLength: 4 });
    case "tuple":
      return fc.tuple(...(definition.items ?? []).map(valuesOf));
    case "enum":
      return fc.constantFrom(...Object.values(entries ?? {}));
    case "literal":
      return fc.constantFrom(...(values ?? [null]));
    case "union":
      return fc.oneof(...(options ?? []).map(valuesOf));
    case "number":
      return fc.oneof(fc.constantFrom(...NUMBERS), fc.integer({ min: -5, max: 400 }));
    case "string":
      return anyText;
    case "boolean":
      return fc.boolean();
    case "optional":
    case "nullable":
    case "default":
      return innerType === undefined ? anything : valuesOf(innerType);
    case "pipe":
      return definition.in === undefined ? anything : valuesOf(definition.in);
    default:
      return anything;
  }
}
