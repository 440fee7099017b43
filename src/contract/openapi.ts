import * as z from "zod/mini";
import { OPEN, route } from "./route.ts";

/** Description of every route, as OpenAPI 3.1. */
export const getOpenApi = route("GET", "/api/openapi.json", {
  ...OPEN,
  access: { kind: "public", callsPerMinute: 120 },
  response: z.record(z.string(), z.unknown()),
});

/** Path of the same description as a page. */
export const DOCS_PATH = "/api/docs";
