import type { FastifyInstance } from "fastify";

/**
 * Warns once of a proxy that `TRUSTED_PROXIES` does not name, because all callers then count as one address: at the start
 * where the public address has TLS, which this server does not speak itself, else when the first request is forwarded.
 */
export function warnOfUnnamedProxy(app: FastifyInstance, publicUrl: URL): void {
  let hasWarned = publicUrl.protocol === "https:";
  if (hasWarned) {
    app.log.warn(
      "PUBLIC_URL needs a proxy and TRUSTED_PROXIES does not name it: all callers count as one address.",
    );
  }
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
