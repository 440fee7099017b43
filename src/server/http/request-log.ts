import type { FastifyInstance } from "fastify";

/** Writes one line per request: never the address with its ids and query, never headers or bodies. */
export function registerRequestLog(app: FastifyInstance): void {
  app.addHook("onResponse", (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? "unknown",
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        wallet: request.session?.wallet,
      },
      "request",
    );
    done();
  });
}
