import * as z from "zod/mini";
import { isoTime, ownerAddress, signature } from "./fields.ts";
import { defineRoute } from "./route.ts";

const token = z.strictObject({ token: z.string() });

export const createNonce = defineRoute({
  method: "POST",
  path: "/api/auth/nonce",
  access: { kind: "public", callsPerMinute: null },
  body: z.strictObject({ walletAddress: ownerAddress }),
  status: 200,
  response: z.strictObject({ message: z.string(), nonce: z.string(), expiresAt: isoTime }),
});

export const createToken = defineRoute({
  method: "POST",
  path: "/api/auth/token",
  access: { kind: "public", callsPerMinute: null },
  body: z.strictObject({
    walletAddress: ownerAddress,
    nonce: z.string().check(z.regex(/^[A-Za-z0-9]{16,64}$/)),
    signature,
  }),
  status: 200,
  response: token,
  holdsSecret: true,
});

/**
 * Renews the bearer token. Needs the refresh cookie and the `X-Wheelhouse: 1` header besides the bearer token, which
 * may have expired.
 */
export const refreshToken = defineRoute({
  method: "POST",
  path: "/api/auth/refresh",
  access: { kind: "public", callsPerMinute: 120 },
  status: 200,
  response: token,
  holdsSecret: true,
});

export const logout = defineRoute({
  method: "POST",
  path: "/api/auth/logout",
  access: { kind: "public", callsPerMinute: 120 },
  status: 204,
});

/** The wallet's open sessions, most recently used first. */
export const listSessions = defineRoute({
  method: "GET",
  path: "/api/auth/sessions",
  access: { kind: "session" },
  status: 200,
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

/** Ends every session of the wallet, including the current one. */
export const signOutEverywhere = defineRoute({
  method: "POST",
  path: "/api/auth/sign-out-everywhere",
  access: { kind: "session" },
  status: 204,
});
