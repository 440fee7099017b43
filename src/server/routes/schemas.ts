import { agentFile } from "../../contract/agent-file.ts";
import { jsonSchemaOf } from "../openapi/json-schema.ts";
import type { Handlers } from "../http/handler.ts";

/** Answers the JSON Schemas of exported files, generated from their validation schemas. */
export function schemaHandlers(): Pick<Handlers, "getAgentFileSchema"> {
  const schema: Record<string, unknown> = {
    title: "Wheelhouse agent",
    ...jsonSchemaOf(agentFile, "input", "ref"),
  };
  return { getAgentFileSchema: async () => schema };
}
