import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import * as z from "zod/mini";
import { schemaOf, TOOLS } from "./tools.ts";

interface Schema {
  readonly properties: Readonly<Record<string, { readonly description?: string }>>;
}

/** Returns a tool's schema as its arguments are parsed, with the words that are written down for it. */
function derived(tool: (typeof TOOLS)[number]) {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(tool.args, { io: "input" });
  const words = (schemaOf(tool) as unknown as Partial<Schema>).properties ?? {};
  const described = Object.entries((schema as unknown as Schema).properties).map(
    ([name, property]) => [name, { ...property, description: words[name]?.description ?? "" }],
  );
  return { ...schema, properties: Object.fromEntries(described) as Schema["properties"] };
}

it("every tool's written schema is what its arguments are parsed by, each field in words", () => {
  const schemas = Object.fromEntries(TOOLS.map((tool) => [tool.name, derived(tool)]));
  if (process.env["RECORD_SCHEMAS"] === "1") {
    const text = `${JSON.stringify(schemas, null, 2)}\n`;
    writeFileSync(join(import.meta.dirname, "tool-schemas.json"), text);
  }
  for (const tool of TOOLS) {
    expect(schemaOf(tool), tool.name).toEqual(schemas[tool.name]);
    for (const [name, { description }] of Object.entries(schemas[tool.name]?.properties ?? {})) {
      expect(description, `${tool.name}: ${name}`).not.toBe("");
    }
  }
});

it("what a model is told of all tools takes little of its context", () => {
  const told = TOOLS.map((tool) => [tool.name, tool.title, tool.description, schemaOf(tool)]);
  expect(JSON.stringify(told).length).toBeLessThan(20_000);
});
