import type { FastifyInstance } from "fastify";

/** Logs one line per request, without its URL's ids and query, headers or body. */
export function registerRequestLog(app: FastifyInstance): void {
  app.addHook("onResponse", (request, reply, done) => {
    request.log.info(
      {
        reqId: request.id,
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
