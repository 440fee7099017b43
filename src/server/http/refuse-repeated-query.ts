import type { FastifyInstance } from "fastify";
import { AppError } from "../../contract/errors.ts";

const CALLS = /^\/(?:api|webhook)\//;

/** Refuses a request with a repeated query parameter: two parsers could choose different values. */
export function refuseRepeatedQuery(app: FastifyInstance): void {
  app.addHook("preHandler", (request, _reply, done) => {
    const isRepeated = Object.values(request.query as object).some(Array.isArray);
    const isCall = CALLS.test(request.routeOptions.url ?? "");
    if (isRepeated && isCall) {
      done(new AppError("bad_request", { message: "A query parameter stands twice." }));
    } else done();
  });
}
