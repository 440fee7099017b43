import { agentFile } from "../../contract/agent-file.ts";
import { MAX_NUMBER } from "../../domain/condition/check-condition.ts";
import { INDICATORS } from "../../domain/condition/indicator-table.ts";
import { ASSETS } from "../../venues/profiles.ts";
import { jsonSchemaOf } from "../openapi/name-schemas.ts";
import type { Handlers } from "../http/handler.ts";

/** Answers the JSON Schemas of exported files, generated from their validation schemas. */
export function schemaHandlers(): Pick<Handlers, "getAgentFileSchema"> {
  const schema: Record<string, unknown> = {
    title: "Wheelhouse agent",
    ...jsonSchemaOf(agentFile, "input", "ref"),
  };
  narrow(schema);
  return { getAgentFileSchema: async () => schema };
}

const NUMBER = { type: "object", properties: { kind: { const: "number" } } };
const LINE = String.raw`^[^\p{Cc}\p{Cs}\u2028\u2029]*$`;
const TEXT = String.raw`^(?:[\t\n\r]|[^\p{Cc}\p{Cs}])*$`;
const OBV = { type: "object", properties: { name: { const: "OBV" } }, required: ["name"] };

/**
 * Rules that an import checks in code, by the property of the objects they hold for: those of `line`, `text` and
 * `checkCondition`.
 */
const RULES: Readonly<Record<string, readonly object[]>> = {
  right: [
    { not: { properties: { left: NUMBER, right: NUMBER } } },
    {
      anyOf: [
        { properties: { left: OBV, right: OBV } },
        { properties: { left: { not: OBV }, right: { not: OBV } } },
      ],
    },
  ],
  bars: [{ not: { properties: { left: NUMBER }, required: ["left"] } }],
  asset: [{ properties: { asset: { enum: [...ASSETS] } } }, { minProperties: 1 }],
  value: [{ properties: { value: { type: "number", minimum: -MAX_NUMBER, maximum: MAX_NUMBER } } }],
  days: [{ properties: { days: { type: "array", uniqueItems: true } } }],
  name: [{ properties: { name: { type: "string", pattern: LINE } } }],
  alert: [{ properties: { alert: { type: "string", pattern: LINE } } }],
  description: [{ properties: { description: { type: "string", pattern: TEXT } } }],
};

/** Adds the rules to a schema and all within it, and drops what it says twice. */
function narrow(schema: unknown): void {
  if (typeof schema !== "object" || schema === null) return;
  for (const each of Object.values(schema)) narrow(each);
  // The values say their type, and an editor loads the schema with every file
  if ("type" in schema && ("const" in schema || "enum" in schema)) delete schema.type;
  if ("maxItems" in schema && "items" in schema && schema.items === false) delete schema.maxItems;
  if (!("properties" in schema)) return;
  const properties = schema.properties as Readonly<Record<string, { readonly const?: unknown }>>;
  const open = Object.entries(properties).filter(([, { const: only }]) => only === undefined);
  const rules = open.flatMap(([name]) => RULES[name] ?? []);
  if (properties["name"]?.const === "MACD") rules.push(fastBeforeSlow());
  if (rules.length > 0) Object.assign(schema, { allOf: rules });
}

/** JSON Schema cannot compare two numbers: one of all whole numbers has to lie between them. */
function fastBeforeSlow(): object {
  const [, { max }] = INDICATORS.MACD.parameters;
  const between = Array.from({ length: max - 1 }, (_, at) => ({
    prefixItems: [{ type: "number", maximum: at + 1 }, { type: "number", minimum: at + 2 }, {}],
    minItems: 3,
    items: false,
  }));
  return { properties: { parameters: { type: "array", anyOf: between } } };
}
