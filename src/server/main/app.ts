import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import { fastify, type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import { AppError } from "../../contract/errors.ts";
import type { Route } from "../../contract/route.ts";
import { ROUTES } from "../../contract/routes.ts";
import { API_BODY_LIMIT_BYTES } from "../../contract/webhook.ts";
import { registerAuthRoutes } from "../routes/auth-routes.ts";
import type { ReadTokens } from "../auth/read-tokens.ts";
import type { Sessions } from "../auth/sessions.ts";
import { brokenConnectionAnswer, refuseExpectations } from "../http/broken-connection.ts";
import { registerErrorHandler, sendError } from "../http/error-answer.ts";
import { registerJsonBody } from "../http/api-body.ts";
import { registerCallerLimits } from "../http/limit-callers.ts";
import { limitCallsUnderWay, limitConnections } from "../http/limit-connections.ts";
import { refuseOtherHosts } from "../http/own-host.ts";
import { registerMetrics, type MetricsOptions } from "../http/metrics.ts";
import { registerPage, type Page } from "../http/page.ts";
import { createBigReads } from "../pacing/big-reads.ts";
import { limitFailuresPerMinute, limitPerMinute } from "../pacing/rate-limit.ts";
import { registerRoute } from "../http/register-route.ts";
import { dataHeaders, registerSecurityHeaders } from "../http/security-headers.ts";
import { type IsTrusted, trustedProxies } from "../http/trusted-proxies.ts";
import type { EventStreams } from "../push/event-streams.ts";
import { registerEventRoute } from "../routes/event-route.ts";
import type { Handlers } from "../http/handler.ts";
import type { Session } from "../session.ts";
import type { Db } from "../store/postgres/db.ts";
import { brotliCompress, constants, gzip } from "node:zlib";
import { acceptedEncoding, type Encoding } from "../http/packed-file.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The signed-in wallet; null on public calls. */
    session: Session | null;
  }
}

export interface AppDeps {
  readonly db: Db;
  readonly logger: FastifyBaseLogger;
  readonly publicUrl: URL;
  readonly sessions: Sessions;
  readonly readTokens: ReadTokens;
  readonly streams: EventStreams;
  readonly handlers: Handlers;
  /** Routes that read their own bodies, such as the webhook; each gets a scope without body parsers. */
  readonly raw?: readonly ((scope: FastifyInstance) => void)[];
  /** Replaces the limits of calls per minute of sessions. */
  readonly callsPerMinute?: number;
  /** Replaces those of all sessions of one caller. */
  readonly callsPerMinuteOfCaller?: number;
  /** Replaces those of calls that need no session, and of made-up read tokens. */
  readonly publicCallsPerMinute?: number;
  /** Maximum time for one request to arrive, body included, in milliseconds; its head has a third of it. */
  readonly arrivalTimeoutMs?: number;
  /** Replaces the limit of open connections of one address. */
  readonly connectionsPerAddress?: number;
  /** Replaces the limit of open connections of all addresses. */
  readonly connectionsInAll?: number;
  /** Listening address, for the check of the Host header; loopback when absent. */
  readonly listenHost?: string;
  /** Proxies whose `X-Forwarded-For` is trusted; none when absent. */
  readonly trustedProxies?: readonly string[];
  /** Folder of the built page; when absent only the API is served. */
  readonly clientDir?: string;
  readonly aiOrigins?: readonly string[];
  readonly metrics?: MetricsOptions;
}

const CALLS_PER_MINUTE = 300;

/** Calls per minute of all sessions and read tokens of one caller, whose wallets cost nothing. */
const CALLS_PER_MINUTE_OF_CALLER = 6_000;

/** Calls per minute of one personal read token. */
const READS_PER_MINUTE = 60;

/** Read tokens a minute that one caller may name and nobody has. */
const GUESSES_PER_MINUTE = 60;

const ARRIVAL_TIMEOUT_MS = 30_000;

/** How long a connection may stay open between two requests, in milliseconds. */
const KEPT_ALIVE_MS = 72_000;

/** How long a connection may go without a byte in either direction while it is answered, in milliseconds. */
const SILENT_MS = 120_000;

/** Builds the HTTP server from the contract's route table; the caller starts and stops it. */
export function createApp(deps: AppDeps): FastifyInstance {
  const arrivalTimeoutMs = deps.arrivalTimeoutMs ?? ARRIVAL_TIMEOUT_MS;
  const isTrusted = trustedProxies(deps.trustedProxies ?? []);
  const app = fastify({
    loggerInstance: deps.logger,
    logController: new LogController({ disableRequestLogging: true }),
    // What is logged of a request names it; a logger of its own would cost each request more than its route
    childLoggerFactory: (logger) => logger,
    genReqId: countRequests(),
    requestIdHeader: false,
    trustProxy: isTrusted,
    bodyLimit: API_BODY_LIMIT_BYTES,
    requestTimeout: arrivalTimeoutMs,
    keepAliveTimeout: KEPT_ALIVE_MS,
    connectionTimeout: SILENT_MS,
    // Node has a minute for the head by default, and checks for late requests only every 30 s
    http: {
      headersTimeout: Math.ceil(arrivalTimeoutMs / 3),
      connectionsCheckingInterval: arrivalTimeoutMs / 10,
      // Node would answer a request without a host itself, without a body
      requireHostHeader: false,
    },
    exposeHeadRoutes: false,
    forceCloseConnections: "idle",
    // What came in before the listener closed is answered
    return503OnClosing: false,
    routerOptions: { maxParamLength: 1024 },
    clientErrorHandler: brokenConnectionAnswer(deps.publicUrl),
    // Hooks do not run for an address that cannot be read
    frameworkErrors: (error, request, reply) =>
      sendError(request, reply.headers(dataHeaders(deps.publicUrl)), error),
  });
  refuseExpectations(app.server as Server, deps.publicUrl);
  limitConnections(app, isTrusted, deps);
  app.removeAllContentTypeParsers();
  app.decorateRequest("session", null);
  registerSecurityHeaders(app, deps.publicUrl);
  registerCompression(app, Object.values(ROUTES));
  registerRequestLog(app);
  registerErrorHandler(app);
  refuseOtherHosts(app, deps);
  limitCallsUnderWay(app, deps.connectionsPerAddress);
  registerCallerLimits(app, {
    named: deps.sessions.named,
    callsPerMinute: deps.publicCallsPerMinute,
  });
  refuseRepeatedQuery(app);
  if (!deps.trustedProxies?.length) warnOfUnnamedProxy(app, deps.publicUrl);
  // Streams never end by themselves and would delay the shutdown
  app.addHook("preClose", async () => deps.streams.close());
  if (deps.metrics) registerMetrics(app, deps.metrics, deps.publicUrl);
  const page = deps.clientDir
    ? registerPage(app, { clientDir: deps.clientDir, aiOrigins: deps.aiOrigins ?? [] })
    : null;
  registerNotFound(app, page);
  app.register(async (scope) => registerApi(scope, deps, isTrusted));
  for (const register of deps.raw ?? []) app.register(async (scope) => register(scope));
  return app;
}

/** Returns a generator of request ids that are unique across restarts and cheap to make. */
function countRequests(): () => string {
  const start = randomUUID().slice(0, 8);
  let count = 0;
  return () => `${start}${(count += 1).toString(16).padStart(8, "0")}`;
}

function registerApi(scope: FastifyInstance, deps: AppDeps, isTrusted: IsTrusted): void {
  registerJsonBody(scope, API_BODY_LIMIT_BYTES);
  const limitSession = limitPerMinute(deps.callsPerMinute ?? CALLS_PER_MINUTE);
  const limitCaller = limitPerMinute(deps.callsPerMinuteOfCaller ?? CALLS_PER_MINUTE_OF_CALLER);
  const bigReads = createBigReads();
  const limitGuesses = limitFailuresPerMinute(deps.publicCallsPerMinute ?? GUESSES_PER_MINUTE);
  const limitReader = limitPerMinute(READS_PER_MINUTE);
  const authenticate = async (authorization: readonly string[]) =>
    (await deps.sessions.authenticate(authorization)).session;
  for (const [name, handle] of Object.entries(deps.handlers)) {
    const route: Route = ROUTES[name as keyof Handlers];
    // The table's types bind each handler to its route; the loop treats all as one type
    const work = handle as (request: unknown) => Promise<unknown>;
    registerRoute(scope, name, route, work, {
      db: deps.db,
      authenticate,
      confirm: deps.sessions.confirm,
      authenticateReader: deps.readTokens.authenticate,
      limitReader,
      limitGuesses,
      limitSession,
      limitCaller,
      bigReads,
    });
  }
  registerAuthRoutes(scope, deps);
  registerEventRoute(scope, { ...deps, isTrusted });
}

function registerNotFound(app: FastifyInstance, page: Page | null): void {
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split("?", 1)[0] ?? "";
    const methods = methodsOf(path);
    if (methods.length > 0) {
      reply.header("allow", methods.join(", "));
      throw new AppError("method_not_allowed");
    }
    const wantsPage =
      request.method === "GET" && !/^\/(?:api|webhook|assets|\.well-known)(?:\/|$)/i.test(path);
    if (page === null || !wantsPage) throw new AppError("not_found");
    return page.send(request, reply, 404);
  });
}

const PATTERNS = Object.values(ROUTES).map((route) => ({
  method: route.method,
  pattern: new RegExp(`^${route.path.replaceAll(/:[A-Za-z]+/g, "[^/]+")}$`),
}));

/** Returns the contract's methods for a path; empty for an unknown path. */
function methodsOf(path: string): string[] {
  return PATTERNS.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
}

const CALLS = /^\/(?:api|webhook)\//;

/** Refuses a request with a repeated query parameter: two parsers could choose different values. */
function refuseRepeatedQuery(app: FastifyInstance): void {
  app.addHook("preHandler", (request, _reply, done) => {
    const isRepeated = Object.values(request.query as object).some(Array.isArray);
    const isCall = CALLS.test(request.routeOptions.url ?? "");
    if (isRepeated && isCall) {
      done(new AppError("bad_request", { message: "A query parameter stands twice." }));
    } else done();
  });
}

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

/**
 * Logs one warning about a proxy that `TRUSTED_PROXIES` does not list, because all callers then share one address: at
 * start when the public URL uses TLS, which this server does not terminate itself, otherwise on the first forwarded
 * request.
 */
function warnOfUnnamedProxy(app: FastifyInstance, publicUrl: URL): void {
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
