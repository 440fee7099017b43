import type { FastifyInstance, FastifyReply } from "fastify";

const COMMON = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin-allow-popups",
  "cross-origin-resource-policy": "same-origin",
} as const;

const JSON_POLICY = "default-src 'none'; frame-ancestors 'none'";
const ONE_YEAR_SECONDS = 365 * 24 * 3600;

/** Returns the headers of every response, for the few written without the framework. */
export function constantHeaders(publicUrl: URL): Readonly<Record<string, string>> {
  const transport =
    publicUrl.protocol === "https:"
      ? { "strict-transport-security": `max-age=${ONE_YEAR_SECONDS}; includeSubDomains` }
      : {};
  return { ...COMMON, ...transport };
}

/** Returns the headers of a response that is not a page. */
export function dataHeaders(publicUrl: URL): Readonly<Record<string, string>> {
  return {
    ...constantHeaders(publicUrl),
    "content-security-policy": JSON_POLICY,
    "cache-control": "no-store",
  };
}

/** Adds the constant headers to every response; pages add their own content policy. */
export function registerSecurityHeaders(app: FastifyInstance, publicUrl: URL): void {
  const constant = constantHeaders(publicUrl);
  app.addHook("onSend", (_request, reply, payload, done) => {
    reply.headers(constant);
    if (!reply.hasHeader("content-security-policy")) {
      reply.header("content-security-policy", JSON_POLICY);
    }
    if (!reply.hasHeader("cache-control")) reply.header("cache-control", "no-store");
    done(null, payload);
  });
}

export interface PagePolicy {
  /** Hashes of the page's inline scripts as `sha256-…`. */
  readonly scriptHashes: readonly string[];
  /** Origins of AI providers the browser may call directly. */
  readonly aiOrigins: readonly string[];
}

/**
 * Returns the page's content security policy. Styles load from its own file only; styles set by script at run time are
 * not subject to the policy.
 */
export function pagePolicy({ scriptHashes, aiOrigins }: PagePolicy): string {
  return [
    "default-src 'none'",
    `script-src ${["'self'", ...scriptHashes.map((hash) => `'${hash}'`)].join(" ")}`,
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "manifest-src 'self'",
    `connect-src ${["'self'", ...aiOrigins].join(" ")}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ");
}

export function setPageHeaders(reply: FastifyReply, policy: string): void {
  reply.headers({ "content-security-policy": policy, "cache-control": "no-cache" });
}
