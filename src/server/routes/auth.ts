import type { Sessions } from "../auth/sessions.ts";
import type { EventStreams } from "../push/event-streams.ts";
import type { Handlers } from "../http/handler.ts";

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
      for (const id of await sessions.endAll(session, body.tokens === "replace"))
        streams.endSession(id);
    },
  } satisfies Partial<Handlers>;
}
