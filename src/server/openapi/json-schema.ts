import * as z from "zod/mini";

/** Returns a schema of the contract as JSON Schema; checks that only code can express are left out. */
export function jsonSchemaOf(
  schema: z.core.$ZodType,
  io: "input" | "output",
  reused: "ref" | "inline" = "inline",
): Record<string, unknown> {
  return z.toJSONSchema(schema, {
    io,
    reused,
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      // An empty tuple has an empty `prefixItems`, which JSON Schema forbids; its bounds express the same
      if (jsonSchema.prefixItems?.length === 0) delete jsonSchema.prefixItems;
    },
  });
}
