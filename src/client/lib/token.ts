interface TokenClaims {
  /** Seconds since the Unix epoch. */
  readonly exp?: unknown;
  /** Wallet address. */
  readonly sub?: unknown;
}

/** What the token says of itself, or null when it cannot be decoded. Only the server can verify it. */
export function readClaims(token: string): TokenClaims | null {
  try {
    const payload = token.split(".")[1] ?? "";
    const bytes = Uint8Array.from(atob(payload.replace(/-/g, "+").replace(/_/g, "/")), (char) =>
      char.charCodeAt(0),
    );
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof claims === "object" ? claims : null;
  } catch {
    return null;
  }
}

/** Says whether the token exists, is decodable and its expiry is in the future. */
export function isTokenValid(token: string | null, nowMs: number): token is string {
  const exp = token === null ? undefined : readClaims(token)?.exp;
  return typeof exp === "number" && exp * 1000 > nowMs;
}

/** Says whether this browser holds a token of that wallet, expired or not. */
export function isTokenOf(token: string | null, address: string): boolean {
  return token !== null && readClaims(token)?.sub === address;
}

/** Says whether the token still counts by this browser's clock. */
export function isTokenFresh(token: string | null): boolean {
  return isTokenValid(token, Date.now());
}
