import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyInstance } from "fastify";
import type { Route } from "../../contract/route.ts";
import { acceptedEncoding, type Encoding } from "./accepted-encoding.ts";

/** Minimum size to compress, in bytes; a smaller response fits into one packet anyway. */
const LEAST_BYTES = 1_000;

/** Brotli quality: a few milliseconds per megabyte; higher levels cost more time than the transfer saves. */
const BROTLI_QUALITY = 4;
/** Brotli window of 256 KiB, larger than nearly every response, instead of 4 MiB of memory each. */
const BROTLI_WINDOW_BITS = 18;

const BROTLI = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: BROTLI_WINDOW_BITS,
  },
};

type Done = (error: Error | null, packed: Buffer) => void;

const pack: Readonly<Record<Encoding, (text: string, done: Done) => void>> = {
  br: (text, done) => brotliCompress(text, BROTLI, done),
  gzip,
};

/**
 * Compresses complete JSON responses larger than one packet, except those that contain a secret. Streams are excluded,
 * so compression never delays them.
 */
export function registerCompression(app: FastifyInstance, routes: readonly Route[]): void {
  const secret = new Set(routes.filter((route) => route.holdsSecret).map(({ path }) => path));
  app.addHook("onSend", (request, reply, payload, done) => {
    if (typeof payload !== "string" || payload.length < LEAST_BYTES) return done(null, payload);
    const isJson = String(reply.getHeader("content-type")).startsWith("application/json");
    if (!isJson || secret.has(request.routeOptions.url ?? "")) return done(null, payload);
    reply.header("vary", "accept-encoding");
    const encoding = acceptedEncoding(request.headers["accept-encoding"]);
    if (encoding === null) return done(null, payload);
    pack[encoding](payload, (error, packed) => {
      if (error !== null) return done(error);
      reply.header("content-encoding", encoding);
      done(null, packed);
    });
  });
}
