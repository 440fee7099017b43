import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { ROUTES } from "../../contract/routes.ts";
import { packedFile } from "../http/packed-file.ts";
import { buildOpenApi } from "./build-openapi.ts";
import { DOCS_STYLE, docsPage } from "./docs-page.ts";

const STYLE_DIGEST = createHash("sha256").update(DOCS_STYLE).digest("base64");
const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_DIGEST}'; frame-ancestors 'none'; base-uri 'none'`;

/**
 * Serves the API description at `/api/openapi.json` and, as an HTML page, at `/api/docs`. Both are made for the first
 * reader, so that a start does not wait for them.
 */
export function registerDocs(app: FastifyInstance, address: string): void {
  let made: ReturnType<typeof buildOpenApi> | undefined;
  const description = () => (made ??= buildOpenApi(address));
  const sendDocument = packedFile(() => JSON.stringify(description()));
  const sendPage = packedFile(() => docsPage(description()));
  app.get(ROUTES.getOpenApi.path, (request, reply) =>
    sendDocument(request, reply.type("application/json; charset=utf-8")),
  );
  app.get("/api/docs", (request, reply) => {
    reply.type("text/html; charset=utf-8").header("content-security-policy", PAGE_POLICY);
    return sendPage(request, reply);
  });
}
