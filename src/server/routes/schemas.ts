import * as z from "zod/mini";
import { agentFile } from "../../contract/agent-file.ts";
import type { Handlers } from "../http/handler.ts";

/** Answers the JSON Schemas of exported files, generated from their validation schemas. */
export function schemaHandlers(): Pick<Handlers, "getAgentFileSchema"> {
  const schema: Record<string, unknown> = {
    title: "Wheelhouse agent",
    ...z.toJSONSchema(agentFile, { io: "input", reused: "ref", override: leaveOutNoPlaces }),
  };
  return { getAgentFileSchema: async () => schema };
}

/**
 * Removes the empty `prefixItems` of a list that must be empty: JSON Schema forbids it, and the list's bounds suffice.
 */
function leaveOutNoPlaces({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.prefixItems?.length === 0) delete jsonSchema.prefixItems;
}
