import fastifyCookie from "@fastify/cookie";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../contract/errors.ts";
import type { RequestOf } from "../../contract/route.ts";
import { ROUTES } from "../../contract/routes.ts";
import { callerOf, authorizationsOf } from "../http/limit-callers.ts";
import { parseRequest } from "../http/parse-request.ts";
import type { EventStreams } from "../push/event-streams.ts";
import { decodeBase58 } from "../../domain/base58.ts";
import { isOwnOrigin } from "../auth/own-origin.ts";
import { SESSION_MS, type SignInProof } from "../auth/open-session.ts";
import type { IssuedTokens } from "../auth/session-parts.ts";
import type { Sessions } from "../auth/sessions.ts";
import type { Handlers } from "../http/handler.ts";

/**
 * Registers the calls that read or set the refresh cookie.
 */
export function registerAuthRoutes(
  scope: FastifyInstance,
  deps: { readonly publicUrl: URL; readonly sessions: Sessions; readonly streams: EventStreams },
): void {
  const { publicUrl, sessions } = deps;
  const isSecure = publicUrl.protocol === "https:";
  const cookieName = isSecure ? "__Host-wheelhouse_refresh" : "wheelhouse_refresh";
  const cookieOptions = {
    path: "/",
    httpOnly: true,
    secure: isSecure,
    sameSite: "strict",
    maxAge: SESSION_MS / 1000,
  } as const;
  const authorizations = (request: FastifyRequest) => authorizationsOf(request.raw.rawHeaders);

  const answer = (reply: FastifyReply, tokens: IssuedTokens) =>
    reply
      .setCookie(cookieName, tokens.refreshToken, cookieOptions)
      .header("content-type", "application/json; charset=utf-8")
      .send(JSON.stringify({ token: tokens.accessToken }));

  scope.register(fastifyCookie);

  scope.post(ROUTES.createToken.path, async (request, reply) => {
    refuseForeignOrigin(request, publicUrl);
    const { body } = parseRequest(ROUTES.createToken, partsOf(request)) as RequestOf<
      typeof ROUTES.createToken
    >;
    const { walletAddress, nonce } = body;
    const from = { address: callerOf(request.ip), userAgent: request.headers["user-agent"] };
    return answer(reply, await sessions.signIn(walletAddress, nonce, proofOf(body), from));
  });

  scope.post(ROUTES.refreshToken.path, async (request, reply) => {
    refuseForeignOrigin(request, publicUrl);
    refuseWithoutHeader(request);
    parseRequest(ROUTES.refreshToken, partsOf(request));
    return answer(
      reply,
      await sessions.refresh(authorizations(request), request.cookies[cookieName]),
    );
  });

  scope.post(ROUTES.logout.path, async (request, reply) => {
    refuseForeignOrigin(request, publicUrl);
    parseRequest(ROUTES.logout, partsOf(request));
    // The cookie alone does not prove the caller's origin; other sites cannot send the header
    const cookie = hasHeader(request) ? request.cookies[cookieName] : undefined;
    const ended = await sessions.logOut(authorizations(request), cookie);
    if (ended !== null) deps.streams.endSession(ended.id);
    return reply.clearCookie(cookieName, cookieOptions).code(204).send();
  });
}

function partsOf(request: FastifyRequest) {
  return { params: request.params, query: request.query, body: request.body };
}

function proofOf({
  signature,
  transaction,
}: RequestOf<typeof ROUTES.createToken>["body"]): SignInProof {
  if (signature === undefined) return { transaction: Buffer.from(transaction ?? "", "base64") };
  if (decodeBase58(signature, 64) !== null) return { signature };
  throw new AppError("bad_request", { fields: { signature: "Must be 64 bytes in base58." } });
}

function refuseForeignOrigin(request: FastifyRequest, publicUrl: URL): void {
  const { origin } = request.headers;
  if (origin !== undefined && !isOwnOrigin(origin, publicUrl)) throw new AppError("forbidden");
}

function refuseWithoutHeader(request: FastifyRequest): void {
  if (!hasHeader(request)) throw new AppError("forbidden");
}

function hasHeader(request: FastifyRequest): boolean {
  return request.headers["x-wheelhouse"] === "1";
}

export function authHandlers(deps: {
  readonly sessions: Sessions;
  readonly streams: Pick<EventStreams, "endSession">;
}) {
  const { sessions, streams } = deps;
  return {
    createNonce: async ({ body }) => sessions.challenge(body.walletAddress),

    async listSessions({ session }) {
      const open = await sessions.list(session);
      return open.map(({ browser, openedAt, lastUsedAt, isCurrent }) => ({
        browser,
        openedAt: openedAt.toISOString(),
        lastUsedAt: lastUsedAt.toISOString(),
        isCurrent,
      }));
    },

    async signOutEverywhere({ session, body }) {
      const { ended, changes } = await sessions.endAll(session, body.tokens === "replace");
      for (const id of ended) streams.endSession(id);
      return { changes };
    },
  } satisfies Partial<Handlers>;
}
