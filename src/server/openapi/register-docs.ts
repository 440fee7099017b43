import type { FastifyInstance } from "fastify";
import { DOCS_PATH } from "../../contract/openapi.ts";
import { ROUTES } from "../../contract/routes.ts";
import { packedFile } from "../http/packed-file.ts";
import { PLAIN_PAGE_POLICY } from "../http/plain-page.ts";
import { buildOpenApi } from "./build-openapi.ts";
import { docsPage } from "./docs-page.ts";

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
  app.get(DOCS_PATH, (request, reply) => {
    reply.type("text/html; charset=utf-8").header("content-security-policy", PLAIN_PAGE_POLICY);
    return sendPage(request, reply);
  });
}
