import * as z from "zod/mini";
import { agentFile } from "../../contract/agent-file.ts";
import type { Handlers } from "./handler.ts";

/** Answers the schemas of files that leave the product, made from those they are checked with. */
export function schemaHandlers(): Pick<Handlers, "getAgentFileSchema"> {
  const schema: Record<string, unknown> = {
    title: "Wheelhouse agent",
    ...z.toJSONSchema(agentFile, { io: "input", reused: "ref" }),
  };
  return { getAgentFileSchema: async () => schema };
}
