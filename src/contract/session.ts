import * as z from "zod/mini";
import { free, route } from "./route.ts";

/** What the page asks of a session before anybody signs in; auth.ts has the rest and is loaded with it. */
export const token = z.strictObject({ token: z.string() });

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
