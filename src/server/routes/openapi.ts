import type { Handlers } from "../http/handler.ts";

/** Answers the description of every call. */
export function openApiHandlers(
  document: Readonly<Record<string, unknown>>,
): Pick<Handlers, "getOpenApi"> {
  return { getOpenApi: async () => document };
}
