import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError, ERRORS, type ErrorBody, type ErrorCode } from "../../contract/errors.ts";
import { ChainUnavailableError } from "../../solana/chain.ts";
import { networkUnavailable } from "../networks.ts";
import { isDatabaseUnavailable, lostRace } from "../store/postgres/unavailable.ts";
import { StrictJsonError } from "./strict-json.ts";

const RETRY_AFTER_SECONDS = 5;

const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  404: "not_found",
  405: "method_not_allowed",
  413: "payload_too_large",
  415: "unsupported_media_type",
  429: "rate_limited",
};

const RACE_CODE = { gone: "not_found", taken: "conflict" } as const;

/** Registers the only handler that turns errors into catalogue responses. */
export function registerErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => sendError(request, reply, error));
}

export function sendError(request: FastifyRequest, reply: FastifyReply, error: unknown): void {
  const problem = toAppError(error);
  const { status, title } = ERRORS[problem.code];
  if (status >= 500) {
    const { id: reqId } = request;
    request.log.error({ err: error, reqId, code: problem.code }, "request failed");
  }
  const body: ErrorBody = {
    message: problem.message,
    code: problem.code,
    requestId: request.id,
    title,
    ...(problem.fields === undefined ? {} : { fields: problem.fields }),
    ...(problem.confirm === undefined ? {} : { confirm: problem.confirm }),
  };
  const retryAfter =
    problem.retryAfterSeconds ?? (status === 503 || status === 429 ? RETRY_AFTER_SECONDS : null);
  if (retryAfter !== null) reply.header("retry-after", retryAfter);
  reply
    .code(status)
    .header("content-type", "application/json; charset=utf-8")
    .send(JSON.stringify(body));
}

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof StrictJsonError) {
    return new AppError("bad_request", { message: error.message, cause: error });
  }
  if (error instanceof ChainUnavailableError) return networkUnavailable(error);
  if (isDatabaseUnavailable(error)) return new AppError("unavailable", { cause: error });
  const race = lostRace(error);
  if (race !== null) return new AppError(RACE_CODE[race], { cause: error });
  const status = statusOf(error);
  if (status >= 400 && status < 500) {
    return new AppError(CODE_OF_STATUS[status] ?? "bad_request", { cause: error });
  }
  return new AppError("internal", { cause: error });
}

/** Returns the status of the framework's own errors; any other error is an internal one. */
function statusOf(error: unknown): number {
  if (typeof error !== "object" || error === null) return 500;
  if (!("statusCode" in error) || typeof error.statusCode !== "number") return 500;
  return error.statusCode;
}
