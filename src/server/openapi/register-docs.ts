import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { docsPage } from "./docs-page.ts";

const STYLE = /<style>([\s\S]*?)<\/style>/;

/** Serves the API documentation as an HTML page at `/api/docs`. */
export function registerDocs(
  app: FastifyInstance,
  document: Readonly<Record<string, unknown>>,
): void {
  const html = docsPage(document);
  const digest = createHash("sha256")
    .update(STYLE.exec(html)?.[1] ?? "")
    .digest("base64");
  app.get("/api/docs", (_request, reply) =>
    reply
      .headers({
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": `default-src 'none'; style-src 'sha256-${digest}'; frame-ancestors 'none'; base-uri 'none'`,
        "cache-control": "no-cache",
      })
      .send(html),
  );
}
