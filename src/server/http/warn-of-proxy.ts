import type { FastifyInstance } from "fastify";

/**
 * Logs one warning about a proxy that `TRUSTED_PROXIES` does not list, because all callers then share one address: at
 * start when the public URL uses TLS, which this server does not terminate itself, otherwise on the first forwarded
 * request.
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
        { reqId: request.id, proxy: request.socket.remoteAddress },
        "A proxy forwards requests and TRUSTED_PROXIES does not name it: all callers count as one address.",
      );
    }
    done();
  });
}
