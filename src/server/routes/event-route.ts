import type { FastifyInstance } from "fastify";
import { ROUTES } from "../../contract/routes.ts";
import type { Sessions } from "../auth/sessions.ts";
import { callerOf, authorizationsOf } from "../http/limit-callers.ts";
import { dataHeaders } from "../http/security-headers.ts";
import type { IsTrusted } from "../http/trusted-proxies.ts";
import type { EventStreams } from "../push/event-streams.ts";

/** Number of unread bytes at which a stream is closed; the browser then reconnects and reloads its data. */
const MAX_UNREAD_BYTES = 64 * 1024;

/** Registers the stream of stale notices of the signed-in wallet. */
export function registerEventRoute(
  scope: FastifyInstance,
  deps: {
    readonly sessions: Pick<Sessions, "authenticate">;
    readonly streams: Pick<EventStreams, "add">;
    readonly publicUrl: URL;
    readonly isTrusted: IsTrusted;
  },
): void {
  scope.get(ROUTES.streamEvents.path, async (request, reply) => {
    const { session, expiresAt } = await deps.sessions.authenticate(
      authorizationsOf(request.raw.rawHeaders),
    );
    const { raw } = reply;
    // A tab that left meanwhile says so no more: its stream would count until its token ends
    if (raw.destroyed) return reply.hijack();
    const remove = deps.streams.add({
      session,
      expiresAt,
      caller: deps.isTrusted(request.ip) ? null : callerOf(request.ip),
      write(text) {
        if (raw.writableLength > MAX_UNREAD_BYTES) raw.destroy();
        else raw.write(text);
      },
      end: () => raw.end(),
    });
    raw.on("close", remove);
    reply.hijack();
    raw.writeHead(200, {
      ...dataHeaders(deps.publicUrl),
      "content-type": "text/event-stream; charset=utf-8",
      // A kept-alive connection would outlive the stream and delay the server's shutdown
      connection: "close",
      "x-accel-buffering": "no",
    });
    raw.write(": open\n\n");
  });
}
