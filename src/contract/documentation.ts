import * as z from "zod/mini";
import { OPEN, route } from "./route.ts";

/** Pages of the documentation that owners ask about, by their files' names. */
export const DOCUMENTATION_PAGES = [
  "assistants",
  "custody",
  "limits",
  "practice-differences",
  "read-api",
  "reliability",
  "simulation",
] as const;

/** One page of the documentation in Markdown. */
export const readDocumentation = route("GET", "/api/documentation/:page", {
  ...OPEN,
  access: { kind: "public", callsPerMinute: 60 },
  params: z.strictObject({ page: z.enum(DOCUMENTATION_PAGES) }),
  response: z.strictObject({
    title: z.string(),
    introduction: z.string(),
    sections: z.array(z.strictObject({ heading: z.string(), text: z.string() })),
  }),
});

/** Description of every route, as OpenAPI 3.1. */
export const getOpenApi = route("GET", "/api/openapi.json", {
  ...OPEN,
  access: { kind: "public", callsPerMinute: 120 },
  response: z.record(z.string(), z.unknown()),
});

/** Path of the same description as a page. */
export const DOCS_PATH = "/api/docs";
