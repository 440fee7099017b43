import * as z from "zod/mini";
import { isoTime, line, serverId } from "./fields.ts";
import { defineRoute } from "./route.ts";

/** Every personal read token begins with this. */
export const READ_TOKEN_PREFIX = "whr_";

/** Tokens of one wallet that are alive at once. */
export const MAX_READ_TOKENS = 20;

const readToken = z.strictObject({
  id: serverId,
  name: z.string(),
  createdAt: isoTime,
  expiresAt: isoTime,
  lastUsedAt: z.optional(isoTime),
});

/** The wallet's tokens that are alive, newest first. */
export const listReadTokens = defineRoute({
  method: "GET",
  path: "/api/read-tokens",
  access: { kind: "session" },
  status: 200,
  response: z.array(readToken),
});

/** Makes a token; the answer is the only time it is told. Needs a wallet confirmation of its own. */
export const createReadToken = defineRoute({
  method: "POST",
  path: "/api/read-tokens",
  access: { kind: "session" },
  confirms: "new_read_token",
  body: z.strictObject({
    name: line(1, 60),
    days: z.int().check(z.minimum(1), z.maximum(366)),
  }),
  status: 201,
  response: z.strictObject({ ...readToken.shape, token: z.string() }),
  holdsSecret: true,
});

export const revokeReadToken = defineRoute({
  method: "DELETE",
  path: "/api/read-tokens/:id",
  access: { kind: "session" },
  params: z.strictObject({ id: serverId }),
  status: 204,
});
