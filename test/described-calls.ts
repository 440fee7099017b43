import * as fc from "fast-check";
import { buildOpenApi } from "../src/server/openapi/build-openapi.ts";

/** The parts of a JSON Schema the generator looks into. */
export interface Described {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Described>>;
  readonly required?: readonly string[];
  readonly items?: Described;
  readonly prefixItems?: readonly Described[];
  readonly anyOf?: readonly Described[];
  readonly oneOf?: readonly Described[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema: Described;
  }[];
  readonly requestBody?: { readonly content: { "application/json": { schema: Described } } };
}

/** What is made up for one call; a part the description does not have is undefined. */
export interface MadeUp {
  readonly name: string;
  readonly query: unknown;
  readonly body: unknown;
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

export const anything = fc.oneof(
  anyText,
  fc.constantFrom(...NUMBERS, null, true, false),
  fc.constantFrom({}, [], [[]], { $gt: "" }, ["x", "x"]),
);

const document = buildOpenApi("http://app.test") as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Described>> };
};

function referred(reference: string): Described {
  const found = document.components.schemas[reference.slice(reference.lastIndexOf("/") + 1)];
  if (found === undefined) throw new Error(`No schema ${reference}`);
  return found;
}

/** Returns values that mostly fit the schema's shape, with contents chosen to break it. */
export function valuesOf(schema: Described): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 9, arbitrary: shaped(schema) }, { weight: 1, arbitrary: anything });
}

function shaped(schema: Described): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) return shaped(referred(schema.$ref));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) return fc.oneof(...options.map(valuesOf));
  switch (schema.type) {
    case "object":
      return objects(schema);
    case "array":
      if (schema.prefixItems !== undefined) return fc.tuple(...schema.prefixItems.map(valuesOf));
      return fc.array(schema.items === undefined ? anything : valuesOf(schema.items), {
        maxLength: 4,
      });
    case "string":
      return schema.pattern === undefined
        ? anyText
        : fc.oneof(fc.stringMatching(new RegExp(schema.pattern)), anyText);
    case "integer":
    case "number":
      return numbers(schema);
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      return anything;
  }
}

function objects({ properties = {}, required = [] }: Described): fc.Arbitrary<unknown> {
  const parts = Object.fromEntries(
    Object.entries(properties).map(([name, part]) => [name, valuesOf(part)]),
  );
  return fc
    .tuple(
      // Half of them have all that is needed
      fc.oneof(
        fc.record(parts, { requiredKeys: required.filter((name) => name in parts) }),
        fc.record(parts, { requiredKeys: [] }),
      ),
      fc.option(fc.constantFrom("unheardOf", "walletAddress", "_id", "constructor"), { freq: 8 }),
    )
    .map(([record, extra]) => (extra === null ? record : { ...record, [extra]: "x" }));
}

function numbers({ minimum, maximum }: Described): fc.Arbitrary<number> {
  const edges = [minimum, maximum].flatMap((edge) =>
    edge === undefined ? [] : [edge - 1, edge, edge + 1],
  );
  return fc.oneof(fc.constantFrom(...NUMBERS, ...edges), fc.integer({ min: -5, max: 400 }));
}

/** Returns made-up parameters and bodies of one call after the other, as the published description has them. */
export function madeUpCalls(leftOut: readonly string[]): fc.Arbitrary<MadeUp> {
  const calls = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ operationId }) => !leftOut.includes(operationId))
    .map(({ operationId, parameters = [], requestBody }) => {
      const asked = parameters.filter((each) => each.in === "query");
      const query = {
        type: "object",
        properties: Object.fromEntries(asked.map(({ name, schema }) => [name, schema])),
        required: asked.filter(({ required }) => required).map(({ name }) => name),
      };
      const body = requestBody?.content["application/json"].schema;
      return fc.record({
        name: fc.constant(operationId),
        query: asked.length === 0 ? fc.constant(undefined) : valuesOf(query),
        body: body === undefined ? fc.constant(undefined) : valuesOf(body),
      });
    });
  return fc.oneof(...calls);
}
