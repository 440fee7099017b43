import { isIP } from "node:net";
import type { FastifyInstance } from "fastify";
import { AppError } from "../../contract/errors.ts";

/** Addresses of the server. */
export interface OwnHosts {
  readonly publicUrl: URL;
  /** Listening address as in `HOST`; loopback when absent. */
  readonly listenHost?: string;
}

const WILDCARDS: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

/** A name or a bracketed address with an optional port, and no other part of a URL. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

const unbracketed = (hostname: string): string => hostname.replace(/^\[|\]$/g, "");

function nameOf(host: string): string | null {
  const url = `http://${host}`;
  return HOST.test(host) && URL.canParse(url) ? unbracketed(new URL(url).hostname) : null;
}

/** Returns whether a host name, without brackets, refers to this machine. */
export const isLoopback = (name: string): boolean =>
  name === "localhost" || name === "::1" || (isIP(name) === 4 && name.startsWith("127."));

/**
 * Returns a check of a request's Host header: the public address, the address listened on and this machine's own names.
 *
 * A server that listens on every address accepts any numeric one: DNS rebinding needs a name.
 */
export function ownHostCheck({ publicUrl, listenHost = "127.0.0.1" }: OwnHosts) {
  const own = new Set([unbracketed(publicUrl.hostname), listenHost.toLowerCase()]);
  const takesNumbers = WILDCARDS.has(listenHost);
  return (host: string | undefined): boolean => {
    const name = nameOf(host ?? "");
    if (name === null) return false;
    return own.has(name) || isLoopback(name) || (takesNumbers && isIP(name) !== 0);
  };
}

/**
 * Refuses requests for other hosts as protection against DNS rebinding.
 *
 * Only the Host header counts, not forwarding headers: a proxy has to pass it on.
 */
export function refuseOtherHosts(app: FastifyInstance, hosts: OwnHosts): void {
  const isOwn = ownHostCheck(hosts);
  // Nearly all requests name the same
  let lastOwn: string | undefined;
  app.addHook("onRequest", (request, _reply, done) => {
    const { host } = request.headers;
    if (host !== lastOwn && isOwn(host)) lastOwn = host;
    if (host !== undefined && host === lastOwn) done();
    else done(new AppError("host_unknown"));
  });
}
