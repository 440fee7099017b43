import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod/mini";
import { AppError } from "../../contract/errors.ts";
import { COMPLETE_UNTIL } from "../../contract/exports.ts";
import { type Route, CONFIRMATION_HEADER } from "../../contract/route.ts";
import { READ_TOKEN_PREFIX } from "../../contract/read-tokens.ts";
import type { FileReply } from "./handler.ts";
import type { Session } from "../session.ts";
import { isOwner } from "../store/auth/ownership.ts";
import type { Db } from "../store/postgres/db.ts";
import type { Sessions } from "../auth/sessions.ts";
import { requestObjectId, type RequestParts } from "../auth/request-object-id.ts";
import type { BigReads } from "../pacing/big-reads.ts";
import type { FailureLimit } from "../pacing/rate-limit.ts";
import { callerOf, authorizationsOf } from "./limit-callers.ts";
import { parseRequest, type ParsedRequest } from "./parse-request.ts";

interface AnyRequest extends ParsedRequest {
  readonly session: Session | null;
  readonly requestId: string;
  readonly ip: string;
}

export interface RegisterRouteDeps {
  readonly db: Db;
  readonly authenticate: (authorization: readonly string[]) => Promise<Session>;
  /** Throws `confirmation_needed` unless the owner's wallet signed exactly what the call does. */
  readonly confirm: Sessions["confirm"];
  /** Returns the session of a personal read token's wallet. */
  readonly authenticateReader: (token: string) => Promise<Session>;
  readonly limitReader: (tokenId: string) => Promise<void>;
  /** Limits read tokens that nobody has, per caller: each is looked up in the database. */
  readonly limitGuesses: FailureLimit;
  readonly limitSession: (sessionId: string) => Promise<void>;
  /** Limits what all sessions and read tokens of one caller do together. */
  readonly limitCaller: (caller: string) => Promise<void>;
  readonly bigReads: BigReads;
}

/** Registers one contract route: authenticate, limit, parse, check ownership, run the handler, encode and check the response. */
export function registerRoute(
  app: FastifyInstance,
  name: string,
  route: Route,
  handle: (request: AnyRequest) => Promise<unknown>,
  deps: RegisterRouteDeps,
): void {
  app.route({
    method: route.method,
    url: route.path,
    onRequest: async (request) => {
      if (route.access.kind === "public") return;
      request.session = await authenticate(request, route, deps);
    },
    handler: async (request, reply) => {
      const parsed = parseRequest(route, {
        params: request.params,
        query: request.query,
        body: request.body,
      });
      await checkOwner(deps.db, route, parsed, request.session);
      const session = await confirmed(deps, route, parsed, request);
      const work = () => handle({ ...parsed, session, requestId: request.id, ip: request.ip });
      const answer = await (route.isBig ? deps.bigReads(callerOf(request.ip), work) : work());
      if (isFile(answer)) return sendFile(reply, answer);
      const { status, body } = unwrap(answer, route.status);
      reply.code(status);
      if (status === 204 || route.method === "HEAD") return reply.send();
      return reply
        .header("content-type", "application/json; charset=utf-8")
        .send(JSON.stringify(encodeAnswer(name, route, body)));
    },
  });
}

/** Authenticates the caller and counts the call. A personal read token only permits its read routes. */
async function authenticate(
  request: FastifyRequest,
  route: Route,
  deps: RegisterRouteDeps,
): Promise<Session> {
  const authorizations = authorizationsOf(request.raw.rawHeaders);
  const [header = "", second] = authorizations;
  if (second === undefined && header.startsWith(READER)) {
    const token = header.slice("Bearer ".length);
    const reader = await deps.limitGuesses(callerOf(request.ip), () =>
      deps.authenticateReader(token),
    );
    if (route.readToken !== true) throw new AppError("forbidden");
    await deps.limitReader(reader.id);
    await deps.limitCaller(callerOf(request.ip));
    return reader;
  }
  const session = await deps.authenticate(authorizations);
  await deps.limitSession(session.id);
  await deps.limitCaller(callerOf(request.ip));
  return session;
}

const READER = `Bearer ${READ_TOKEN_PREFIX}`;

const isFile = (answer: unknown): answer is FileReply =>
  typeof answer === "object" && answer !== null && "replyFile" in answer;

function sendFile(reply: FastifyReply, { replyFile }: FileReply) {
  const { name, type, parts, completeUntil } = replyFile;
  if (completeUntil !== undefined) reply.header(COMPLETE_UNTIL, completeUntil);
  return reply
    .header("content-type", `${type}; charset=utf-8`)
    .header("content-disposition", `attachment; filename="${name}"`)
    .send(Readable.from(parts));
}

/** Throws the uniform refusal unless the session owns what the request names. */
export async function checkOwner(
  db: Db,
  route: Route,
  parsed: RequestParts,
  session: Session | null,
): Promise<void> {
  if (route.access.kind !== "owner") return;
  if (session === null) throw new Error("An owner route ran without a session.");
  const id = requestObjectId(route.access.id, parsed);
  if (route.access.of === "wallet") {
    if (id !== session.wallet) throw new AppError("forbidden");
    return;
  }
  if (!(await isOwner(db, route.access.of, id, session.wallet))) throw new AppError("not_found");
}

/** Returns the session after its wallet signed what the call does, where that is wanted. */
async function confirmed(
  deps: RegisterRouteDeps,
  route: Route,
  parts: ParsedRequest,
  { session, headers }: FastifyRequest,
): Promise<Session | null> {
  if (session === null || route.bearer === "free") return session;
  const proof = headers[CONFIRMATION_HEADER];
  return deps.confirm(session, { route, parts }, typeof proof === "string" ? proof : undefined);
}

/** Returns the status and body of a handler's answer. */
export function unwrap(answer: unknown, status: number): { status: number; body: unknown } {
  if (typeof answer === "object" && answer !== null && "replyStatus" in answer) {
    const reply = answer as { replyStatus: number; replyBody: unknown };
    return { status: reply.replyStatus, body: reply.replyBody };
  }
  return { status, body: answer };
}

/** Returns the answer as it goes over the wire; throws for one that breaks the contract. */
function encodeAnswer(name: string, route: Route, body: unknown): unknown {
  if (!route.response) return body;
  const result = z.safeEncode(route.response, body as never);
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.code}`);
  throw new Error(`The answer of ${name} breaks the contract: ${problems.join("; ")}`);
}
