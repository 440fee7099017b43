import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply } from "fastify";
import { pagePolicy, setPageHeaders } from "./security-headers.ts";

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;

export interface Page {
  send(reply: FastifyReply, status: 200 | 404): FastifyReply;
}

/** Serves the built page and its assets; assets carry a hash in their names and never change. */
export function registerPage(
  app: FastifyInstance,
  options: { readonly clientDir: string; readonly aiOrigins: readonly string[] },
): Page {
  const html = readFileSync(join(options.clientDir, "index.html"), "utf8");
  const scriptHashes = [...html.matchAll(INLINE_SCRIPT)].map(
    ([, script]) =>
      `sha256-${createHash("sha256")
        .update(script ?? "")
        .digest("base64")}`,
  );
  const policy = pagePolicy({ scriptHashes, aiOrigins: options.aiOrigins });
  const page: Page = {
    send(reply, status) {
      setPageHeaders(reply, policy);
      return reply.code(status).header("content-type", "text/html; charset=utf-8").send(html);
    },
  };
  app.register(fastifyStatic, {
    root: options.clientDir,
    wildcard: false,
    index: false,
    cacheControl: false,
    globIgnore: ["index.html"],
    setHeaders(response, path) {
      const isHashed = path.includes("/assets/");
      response.header(
        "cache-control",
        isHashed ? "public, max-age=31536000, immutable" : "no-cache",
      );
    },
  });
  app.get("/", (_request, reply) => page.send(reply, 200));
  app.get("/index.html", (_request, reply) => page.send(reply, 200));
  app.get("/chat/:chatId", (_request, reply) => page.send(reply, 200));
  return page;
}
