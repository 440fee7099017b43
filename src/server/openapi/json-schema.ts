import * as z from "zod/mini";

/** Returns a schema of the contract as JSON Schema of its wire side; checks that only code can express are left out. */
export function jsonSchemaOf(
  schema: z.core.$ZodType,
  io: "input" | "output",
  reused: "ref" | "inline" = "inline",
): Record<string, unknown> {
  return z.toJSONSchema(schema, {
    io,
    reused,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      if (io === "output" && zodSchema instanceof z.core.$ZodCodec) {
        const { $schema: _dialect, ...wire } = jsonSchemaOf(zodSchema._zod.def.in, io);
        for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
        Object.assign(jsonSchema, wire);
      }
      // Both mean that anything may stand there, and a generated client takes `{}` for a type of its own
      const others = jsonSchema.additionalProperties;
      if (typeof others === "object" && Object.keys(others).length === 0) {
        delete jsonSchema.additionalProperties;
      }
      // The format says it; its 300 characters of pattern make generators fail and nobody reads them
      if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
      // An empty tuple has an empty `prefixItems`, which JSON Schema forbids; its bounds express the same
      if (jsonSchema.prefixItems?.length === 0) delete jsonSchema.prefixItems;
    },
  });
}
