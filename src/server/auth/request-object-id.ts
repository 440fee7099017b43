import type { IdSource } from "../../contract/route.ts";

/** The parts of a request, parsed by the route's schemas. */
export interface RequestParts {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** Returns the id of the object a route guards. */
export function requestObjectId(source: IdSource, parts: RequestParts): string {
  const [part, field] = source.split(".") as [keyof RequestParts, string];
  const id = (parts[part] as Record<string, unknown> | undefined)?.[field];
  if (typeof id !== "string") throw new Error(`No id at ${source}.`);
  return id;
}
