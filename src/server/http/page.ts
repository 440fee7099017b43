import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { packedFile } from "./packed-file.ts";
import { pagePolicy, setPageHeaders } from "./security-headers.ts";

const MODULE_SCRIPT = /<script type="module"[^>]* src="([^"]+)"/;
const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;

/** Matches compressed and uncompressed files. */
const SERVICE_WORKER = /\/service-worker\.js(\.\w+)?$/;
/** Content policy of the service worker, which only forwards navigations to this server. */
const SERVICE_WORKER_POLICY = "default-src 'none'; connect-src 'self'";

export interface Page {
  send(request: FastifyRequest, reply: FastifyReply, status: 200 | 404): Promise<FastifyReply>;
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
  // An open page compares it with its own version and offers a reload
  const script = MODULE_SCRIPT.exec(html)?.[1];
  app.addHook("onRequest", (request, reply, done) => {
    if (script && request.url === "/api/health") reply.header("x-page-script", script);
    done();
  });
  const sendHtml = packedFile(() => html);
  const page: Page = {
    send(request, reply, status) {
      setPageHeaders(reply, policy);
      return sendHtml(request, reply.code(status).type("text/html; charset=utf-8"));
    },
  };
  app.register(fastifyStatic, {
    root: options.clientDir,
    wildcard: false,
    index: false,
    cacheControl: false,
    preCompressed: true,
    globIgnore: ["index.html", "**/*.br", "**/*.gz"],
    setHeaders(response, path) {
      const isHashed = path.includes("/assets/");
      response.header(
        "cache-control",
        isHashed ? "public, max-age=31536000, immutable" : "no-cache",
      );
      if (SERVICE_WORKER.test(path)) {
        response.header("content-security-policy", SERVICE_WORKER_POLICY);
      }
    },
  });
  app.get("/", (request, reply) => page.send(request, reply, 200));
  app.get("/index.html", (request, reply) => page.send(request, reply, 200));
  app.get("/chat/:chatId", (request, reply) => page.send(request, reply, 200));
  return page;
}
