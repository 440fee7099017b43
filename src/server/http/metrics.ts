import { timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Histogram, type Registry } from "prom-client";
import { AppError } from "../../contract/errors.ts";
import { isLoopback } from "./own-host.ts";

export interface MetricsOptions {
  readonly registry: Registry;
  /** Returns the text for scrapers; the registry's own when absent. */
  readonly gather?: () => Promise<string>;
  /** Bearer token for scrapers; without one only local callers that no proxy forwarded are answered. */
  readonly token?: string;
}

/** Headers that proxies add to forwarded requests. */
const FORWARDING_HEADERS = ["x-forwarded-for", "x-forwarded-host", "x-real-ip", "forwarded", "via"];

/** Serves `/metrics` and times every request by route. */
export function registerMetrics(
  app: FastifyInstance,
  options: MetricsOptions,
  publicUrl: URL,
): void {
  const seconds = new Histogram({
    name: "wheelhouse_http_request_seconds",
    help: "Time from the request's first byte to the answer's last.",
    labelNames: ["method", "route", "status"],
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3],
    registers: [options.registry],
  });
  app.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "unknown";
    seconds.observe(
      { method: request.method, route, status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
    done();
  });
  app.get("/metrics", async (request, reply) => {
    if (!isOperator(request, options.token, publicUrl)) throw new AppError("not_found");
    return reply
      .header("content-type", options.registry.contentType)
      .send(await (options.gather?.() ?? options.registry.metrics()));
  });
}

/**
 * Returns whether the caller may read metrics: one with the bearer token or, when none is set, one on this machine
 * whose request no proxy forwarded.
 */
export function isOperator(
  request: FastifyRequest,
  token: string | undefined,
  publicUrl: URL,
): boolean {
  if (token !== undefined) {
    const given = Buffer.from(request.headers.authorization ?? "");
    const wanted = Buffer.from(`Bearer ${token}`);
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  }
  // A local proxy may add no headers; a public host name other than loopback implies one
  if (!isLoopback(publicUrl.hostname.replace(/^\[|\]$/g, ""))) return false;
  const isForwarded = FORWARDING_HEADERS.some((name) => name in request.headers);
  const peer = request.socket.remoteAddress ?? "";
  return !isForwarded && /^(?:127\.|::1$|::ffff:127\.)/.test(peer);
}
