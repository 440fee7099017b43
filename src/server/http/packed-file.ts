import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Brotli quality: half a second per 2 MB, once per start and outside the event loop. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

interface Packed extends Readonly<Record<Encoding, Buffer>> {
  readonly text: string;
  readonly etag: string;
}

/** Returns a function that sends a text that never changes; it is made and compressed once, for the first reader. */
export function packedFile(make: () => string) {
  let made: Promise<Packed> | undefined;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { text, etag, ...packed } = await (made ??= pack(make()));
    reply.headers({ "cache-control": "no-cache", etag, vary: "accept-encoding" });
    const isKnown = reply.statusCode === 200 && names(request.headers["if-none-match"], etag);
    if (isKnown) return reply.code(304).send();
    const encoding = acceptedEncoding(request.headers["accept-encoding"]);
    if (encoding === null) return reply.send(text);
    return reply.header("content-encoding", encoding).send(packed[encoding]);
  };
}

async function pack(text: string): Promise<Packed> {
  const [br, gzipped] = await Promise.all([toBrotli(text, BROTLI), toGzip(text)]);
  // Weak: the same tag stands for every encoding
  const etag = `W/"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;
  return { text, etag, br, gzip: gzipped };
}

const names = (header: string | undefined, etag: string): boolean =>
  (header ?? "").split(",").some((each) => each.trim() === etag || each.trim() === "*");

export type Encoding = "br" | "gzip";

/** Returns the compression to use for this `Accept-Encoding`; null for none. */
export function acceptedEncoding(header: string | undefined): Encoding | null {
  const accepted = new Set(
    (header ?? "")
      .toLowerCase()
      .split(",")
      .map((entry) => entry.split(";").map((part) => part.trim()))
      .filter(([, ...weights]) => !weights.some((weight) => /^q=0(?:\.0*)?$/.test(weight)))
      .map(([name]) => name),
  );
  if (accepted.has("br")) return "br";
  return accepted.has("gzip") ? "gzip" : null;
}
