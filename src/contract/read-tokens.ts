import * as z from "zod/mini";
import { isoTime, name, serverId } from "./fields.ts";
import { READS, free, route } from "./route.ts";

/** Prefix of every personal read token. */
export const READ_TOKEN_PREFIX = "whr_";

/** Prefix of the access tokens of connected assistants, which open nothing but `/mcp`. */
export const CONNECTION_PREFIX = "who_";

/** Largest number of valid tokens per wallet. */
export const MAX_READ_TOKENS = 20;

/** What an assistant may do with a token at `/mcp`; a token without scopes opens nothing there. */
export const ASSISTANT_SCOPES = ["read", "simulate", "propose"] as const;

export type AssistantScope = (typeof ASSISTANT_SCOPES)[number];

const scopes = z.array(z.enum(ASSISTANT_SCOPES)).check(z.maxLength(ASSISTANT_SCOPES.length));

const readToken = z.strictObject({
  id: serverId,
  name: z.string(),
  scopes,
  /** Host or scheme of an assistant that its owner connected; absent for a token that the owner made. */
  connectedFrom: z.optional(z.string()),
  createdAt: isoTime,
  expiresAt: isoTime,
  lastUsedAt: z.optional(isoTime),
  /** When it last used up the owner's calls of a minute. */
  limitedAt: z.optional(isoTime),
});

/** The wallet's valid tokens, newest first. */
export const listReadTokens = route("GET", "/api/read-tokens", {
  ...READS,
  access: { kind: "session" },
  staleOn: ["read-tokens"],
  response: z.array(readToken),
});

/** Creates a token; only this response contains it. Needs a wallet confirmation of its own. */
export const createReadToken = route("POST", "/api/read-tokens", {
  bearer: "new_read_token",
  access: { kind: "session" },
  changes: ["read-tokens"],
  body: z.strictObject({
    name: name(1, 60),
    days: z.int().check(z.minimum(1), z.maximum(366)),
    scopes: z._default(scopes, []),
  }),
  status: 201,
  response: z.strictObject({ ...readToken.shape, token: z.string() }),
  holdsSecret: true,
});

export const revokeReadToken = route("DELETE", "/api/read-tokens/:id", {
  ...free("It only takes a permission away."),
  access: { kind: "session" },
  changes: ["read-tokens"],
  params: z.strictObject({ id: serverId }),
});
