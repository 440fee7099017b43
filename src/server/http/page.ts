import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ConfigError } from "../environment.ts";
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

/**
 * Serves the built page and its assets; assets carry a hash in their names and never change. Throws `ConfigError` when a
 * file is not the build's; one that changes later is no longer served.
 */
export function registerPage(
  app: FastifyInstance,
  options: { readonly clientDir: string; readonly aiOrigins: readonly string[] },
): Page {
  const isOfBuild = openServedFiles(options.clientDir);
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
    allowedPath: (path) => isOfBuild(path),
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

/** SHA-256 digests in base64 of every file of the page by its path, written by the build. */
const DIGESTS = ".vite/digests.json";

/** The build's own records, which are not served. */
const OWN_RECORDS = /^\.vite\//;

const ENDINGS = ["", ".br", ".gz"];

const digestOf = (file: string): string =>
  createHash("sha256").update(readFileSync(file)).digest("base64");

function readDigests(folder: string): ReadonlyMap<string, string> {
  try {
    const read: Record<string, string> = JSON.parse(readFileSync(join(folder, DIGESTS), "utf8"));
    return new Map(Object.entries(read));
  } catch {
    throw new ConfigError(`The page in ${folder} has no list of its files. Build it again.`);
  }
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => !OWN_RECORDS.test(path));
}

/**
 * Compares the files of the page with the build's list. Throws `ConfigError` in one line when one was changed, is
 * missing or is not on the list.
 *
 * Returns whether a file, by its address, and its compressed forms are still the build's. A file whose size and times
 * are those of the last comparison is not read again.
 */
function openServedFiles(folder: string): (address: string) => boolean {
  const digests = readDigests(folder);
  const compared = new Map<string, string>();
  const isOfBuild = (path: string): boolean => {
    const file = join(folder, path);
    const { size, mtimeMs, ctimeMs, ino } = statSync(file);
    const state = `${size} ${mtimeMs} ${ctimeMs} ${ino}`;
    if (compared.get(path) === state) return true;
    const isSame = digestOf(file) === digests.get(path);
    if (isSame) compared.set(path, state);
    return isSame;
  };
  const files = filesIn(folder);
  const there = new Set(files);
  const faults = [
    ...files.filter((path) => !digests.has(path)).map((path) => `${path} is not on its list`),
    ...[...digests.keys()].filter((path) => !there.has(path)).map((path) => `${path} is missing`),
    ...files
      .filter((path) => digests.has(path) && !isOfBuild(path))
      .map((path) => `${path} was changed`),
  ];
  if (faults.length > 0) {
    const further = faults.length > 1 ? ` and ${faults.length - 1} more` : "";
    const message = `The page in ${folder} is not what was built: ${faults[0]}${further}. Build it again.`;
    throw new ConfigError(message);
  }
  return (address) =>
    ENDINGS.map((ending) => address.slice(1) + ending).every((path) => {
      try {
        return !digests.has(path) || isOfBuild(path);
      } catch {
        // Deleted since the start
        return false;
      }
    });
}
