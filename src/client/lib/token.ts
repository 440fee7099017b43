import { storedToken } from "./storage.ts";

/** Milliseconds of the token's expiry, or null when it cannot be decoded. */
export function tokenExpiresAt(token: string): number | null {
  try {
    const payload = token.split(".")[1] ?? "";
    const bytes = Uint8Array.from(atob(payload.replace(/-/g, "+").replace(/_/g, "/")), (char) =>
      char.charCodeAt(0),
    );
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    const exp = (claims as { exp?: unknown } | null)?.exp;
    return typeof exp === "number" ? exp * 1000 : null;
  } catch {
    return null;
  }
}

/** Says whether the token exists, is decodable and its expiry is in the future. */
export function isTokenValid(token: string | null, nowMs: number): token is string {
  const expiresAt = token === null ? null : tokenExpiresAt(token);
  return expiresAt !== null && expiresAt > nowMs;
}

/** Says whether this browser holds a token that still counts. */
export function hasValidToken(): boolean {
  return isTokenValid(storedToken.read(), Date.now());
}
