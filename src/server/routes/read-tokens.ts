import type { ReadTokens } from "../auth/read-tokens.ts";
import type { ReadTokenRow } from "../store/auth/read-tokens.ts";
import type { Handlers } from "../http/handler.ts";

/** Answers the calls that list, create and revoke the signed-in wallet's read-only tokens. */
export function readTokenHandlers({ readTokens }: { readonly readTokens: ReadTokens }) {
  return {
    async listReadTokens({ session }) {
      return (await readTokens.list(session.wallet)).map(present);
    },
    async createReadToken({ session, body }) {
      const made = await readTokens.create(session, body);
      return { ...present(made), token: made.token };
    },
    revokeReadToken: ({ session, params }) => readTokens.revoke(session, params.id),
  } satisfies Partial<Handlers>;
}

function present(token: ReadTokenRow) {
  const { id, name, scopes, createdAt, expiresAt, lastUsedAt, limitedAt, connectedFrom } = token;
  return {
    id,
    name,
    scopes,
    ...(connectedFrom === null ? {} : { connectedFrom }),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    ...(limitedAt === null ? {} : { limitedAt: limitedAt.toISOString() }),
    ...(lastUsedAt === null ? {} : { lastUsedAt: lastUsedAt.toISOString() }),
  };
}
