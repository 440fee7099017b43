import * as z from "zod/mini";
import { base64, isoTime, ownerAddress, signature } from "./fields.ts";
import { OPEN, READS, free, route } from "./route.ts";

const token = z.strictObject({ token: z.string() });

export const createNonce = route("POST", "/api/auth/nonce", {
  ...OPEN,
  access: { kind: "public", callsPerMinute: 600 },
  body: z.strictObject({ walletAddress: ownerAddress }),
  response: z.strictObject({ message: z.string(), nonce: z.string(), expiresAt: isoTime }),
});

export const createToken = route("POST", "/api/auth/token", {
  ...OPEN,
  access: { kind: "public", callsPerMinute: 600 },
  /** The wallet's signature of the text, or a transaction that carries the text and is never sent. */
  body: z
    .strictObject({
      walletAddress: ownerAddress,
      nonce: z.string().check(z.regex(/^[A-Za-z0-9]{16,64}$/)),
      signature: z.optional(signature),
      /** Signed wire bytes, of a wallet that signs no messages. */
      transaction: z.optional(base64.check(z.maxLength(1_644))),
    })
    .check(
      z.refine((body) => (body.signature === undefined) !== (body.transaction === undefined), {
        error: "Send a signature or a transaction.",
      }),
    ),
  response: token,
  holdsSecret: true,
});

/**
 * Renews the bearer token. Needs the refresh cookie and the `X-Wheelhouse: 1` header besides the bearer token, which
 * may have expired.
 */
export const refreshToken = route("POST", "/api/auth/refresh", {
  ...free("It needs the cookie as well, which scripts cannot read."),
  access: { kind: "public", callsPerMinute: 120 },
  response: token,
  holdsSecret: true,
});

export const logout = route("POST", "/api/auth/logout", {
  ...free("It only ends the session."),
  access: { kind: "public", callsPerMinute: 120 },
});

/** The wallet's open sessions, most recently used first. */
export const listSessions = route("GET", "/api/auth/sessions", {
  ...READS,
  access: { kind: "session" },
  response: z.array(
    z.strictObject({
      /** Browser name sent at sign-in, for instance "Chrome on Linux". */
      browser: z.string(),
      openedAt: isoTime,
      lastUsedAt: isoTime,
      isCurrent: z.boolean(),
    }),
  ),
});

/** Largest number of changes that are listed when sessions are ended. */
export const MAX_CHANGES = 100;

/** What one browser or assistant changed in one way, however often; its name is null once it is no longer stored. */
const changeOfSession = z.strictObject({
  isAssistant: z.boolean(),
  name: z.nullable(z.string()),
  /** When the browser signed in or the assistant was let in. */
  since: z.nullable(isoTime),
  isCurrent: z.boolean(),
  /** Kind, fields and intent as in an agent's history. */
  what: z.string(),
  fields: z.array(z.string()),
  intent: z.nullable(z.string()),
  /** Name of the changed agent. */
  subject: z.nullable(z.string()),
  times: z.int(),
  /** Time of the last one. */
  at: isoTime,
});

export type ChangeOfSession = z.infer<typeof changeOfSession>;

/**
 * Ends every session of the wallet, including the current one, and on request every other secret of its agents. Answers
 * with what browsers and assistants changed in seven days, those of other sessions first, at most 100.
 */
export const signOutEverywhere = route("POST", "/api/auth/sign-out-everywhere", {
  bearer: "replaced_tokens",
  access: { kind: "session" },
  /** `replace`: also replaces the agents' webhook tokens and revokes the read tokens. */
  body: z._default(z.strictObject({ tokens: z._default(z.enum(["keep", "replace"]), "keep") }), {
    tokens: "keep",
  }),
  response: z.strictObject({ changes: z.array(changeOfSession).check(z.maxLength(MAX_CHANGES)) }),
});
