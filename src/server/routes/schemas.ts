import * as z from "zod/mini";
import { agentFile } from "../../contract/agent-file.ts";
import type { Handlers } from "../http/handler.ts";

/** Answers the schemas of files that leave the product, made from those they are checked with. */
export function schemaHandlers(): Pick<Handlers, "getAgentFileSchema"> {
  const schema: Record<string, unknown> = {
    title: "Wheelhouse agent",
    ...z.toJSONSchema(agentFile, { io: "input", reused: "ref", override: leaveOutNoPlaces }),
  };
  return { getAgentFileSchema: async () => schema };
}

/** A list that has to be empty comes with an empty `prefixItems`, which JSON Schema forbids; its bounds say it all. */
function leaveOutNoPlaces({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.prefixItems?.length === 0) delete jsonSchema.prefixItems;
}
