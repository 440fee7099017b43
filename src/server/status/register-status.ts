import type { FastifyInstance } from "fastify";
import { AppError } from "../../contract/errors.ts";
import { isOperator } from "../http/metrics.ts";
import { PLAIN_PAGE_POLICY } from "../http/plain-page.ts";
import { readStatus, type StatusDeps } from "./read-status.ts";
import { statusPage } from "./status-page.ts";

/** Serves the operator's page at `/status`; others are told that there is none, as with `/metrics`. */
export function registerStatus(
  app: FastifyInstance,
  deps: StatusDeps & { readonly token: string | undefined; readonly publicUrl: URL },
): void {
  app.get("/status", async (request, reply) => {
    if (!isOperator(request, deps.token, deps.publicUrl)) throw new AppError("not_found");
    return reply
      .type("text/html; charset=utf-8")
      .header("content-security-policy", PLAIN_PAGE_POLICY)
      .header("cache-control", "no-store")
      .send(statusPage(await readStatus(deps)));
  });
}
