import { isIPv6 } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { DOCS_PATH } from "../../contract/documentation.ts";
import type { Route } from "../../contract/route.ts";
import { ROUTES } from "../../contract/routes.ts";
import type { Sessions } from "../auth/sessions.ts";
import { limitPerMinute } from "../pacing/rate-limit.ts";

/** Calls a minute of what is not there, or not in the contract. */
const OTHERS_PER_MINUTE = 600;

/** Calls a minute of the description as a page, as long as the document. */
const DOCS_PER_MINUTE = 60;

/** These name their session by a token that ran out, too. */
const TAKES_ENDED: ReadonlySet<Route> = new Set([ROUTES.refreshToken, ROUTES.logout]);

/** Routes outside the contract that are no files of the page. */
const NO_FILE = /^\/(?:api\/|metrics$)/;

type LimitCaller = (request: FastifyRequest) => Promise<void>;

/**
 * Limits every call that needs no session, except those whose contract says null and the page's files. A caller with a
 * session is counted by it. Uses no database. `callsPerMinute` overrides every limit.
 */
export function registerCallerLimits(
  app: FastifyInstance,
  deps: { readonly named: Sessions["named"]; readonly callsPerMinute?: number | undefined },
): void {
  const limitOf = (callsPerMinute: number, allowExpired = false): LimitCaller => {
    const limit = limitPerMinute(deps.callsPerMinute ?? callsPerMinute);
    return async (request) => {
      const authorizations = authorizationsOf(request.raw.rawHeaders);
      const session =
        authorizations.length === 0 ? null : await deps.named(authorizations, { allowExpired });
      await limit(session === null ? callerOf(request.ip) : `session ${session.id}`);
    };
  };
  const ofRoute = new Map<string, LimitCaller | null>();
  for (const route of Object.values<Route>(ROUTES)) {
    const { method, path, access } = route;
    const perMinute = access.kind === "public" ? access.callsPerMinute : null;
    const limit = perMinute === null ? null : limitOf(perMinute, TAKES_ENDED.has(route));
    ofRoute.set(`${method} ${path}`, limit);
  }
  ofRoute.set(`GET ${DOCS_PATH}`, limitOf(DOCS_PER_MINUTE));
  const limitOthers = limitOf(OTHERS_PER_MINUTE);
  app.addHook("onRequest", (request, _reply, done) => {
    const { url = "" } = request.routeOptions;
    const known = ofRoute.get(`${request.method} ${url}`);
    const isFile = known === undefined && !request.is404 && !NO_FILE.test(url);
    const limit = known === undefined && !isFile ? limitOthers : known;
    if (limit == null) done();
    // oxlint-disable-next-line promise/no-callback-in-promise -- calls without a limit, alerts first, make no promise
    else limit(request).then(() => done(), done);
  });
}

const MAPPED = /^::ffff:(?=\d+\.)/i;

/** Returns what counts as one caller: an IPv4 address, or the /64 network that one IPv6 customer has at least. */
export function callerOf(ip: string): string {
  if (!ip.includes(":")) return ip;
  const address = ip.replace(MAPPED, "");
  if (!isIPv6(address)) return address;
  const [head = "", tail] = (address.split("%")[0] ?? "").split("::");
  const first = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length;
  const groups = [...first, ...Array.from({ length: zeros }, () => "0"), ...last];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}

/** Returns every Authorization header as sent; the parsed headers would hide a second one. */
export function authorizationsOf(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter(
    (_value, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === "authorization",
  );
}
