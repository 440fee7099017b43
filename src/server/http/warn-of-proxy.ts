import type { FastifyInstance } from "fastify";

/**
 * Warns once when a proxy forwards requests that `TRUSTED_PROXIES` does not name: all callers then count as one address,
 * and one of them can use up the limits of all.
 */
export function warnOfUnnamedProxy(app: FastifyInstance): void {
  let hasWarned = false;
  app.addHook("onRequest", (request, _reply, done) => {
    if (!hasWarned && "x-forwarded-for" in request.headers) {
      hasWarned = true;
      request.log.warn(
        { proxy: request.socket.remoteAddress },
        "A proxy forwards requests and TRUSTED_PROXIES does not name it: all callers count as one address.",
      );
    }
    done();
  });
}
