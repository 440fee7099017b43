import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { docsPage } from "./docs-page.ts";

const STYLE = /<style>([\s\S]*?)<\/style>/;

/** Serves the API documentation as an HTML page at `/api/docs`. */
export function registerDocs(
  app: FastifyInstance,
  document: Readonly<Record<string, unknown>>,
): void {
  // Built for the first reader, so that a start does not wait for it
  let html: string | undefined;
  app.get("/api/docs", (_request, reply) => {
    html ??= docsPage(document);
    const style = STYLE.exec(html)?.[1] ?? "";
    const digest = createHash("sha256").update(style).digest("base64");
    return reply
      .headers({
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": `default-src 'none'; style-src 'sha256-${digest}'; frame-ancestors 'none'; base-uri 'none'`,
        "cache-control": "no-cache",
      })
      .send(html);
  });
}
