import * as z from "zod/mini";
import { defineRoute } from "./route.ts";

/** Description of every route, as OpenAPI 3.1. */
export const getOpenApi = defineRoute({
  method: "GET",
  path: "/api/openapi.json",
  access: { kind: "public", callsPerMinute: 120 },
  status: 200,
  response: z.record(z.string(), z.unknown()),
});

/** Path of the same description as a page. */
export const DOCS_PATH = "/api/docs";
