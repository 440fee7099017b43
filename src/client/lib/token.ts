interface TokenClaims {
  /** Seconds since the Unix epoch. */
  readonly exp?: unknown;
  /** Wallet address. */
  readonly sub?: unknown;
}

/** Returns the token's claims, unverified; null when it cannot be decoded. */
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

/** Returns whether the token exists, is decodable and has not expired. */
export function isTokenValid(token: string | null, nowMs: number): token is string {
  const exp = token === null ? undefined : readClaims(token)?.exp;
  return typeof exp === "number" && exp * 1000 > nowMs;
}

/** Returns whether the token belongs to the wallet, expired or not. */
export function isTokenOf(token: string | null, address: string): boolean {
  return token !== null && readClaims(token)?.sub === address;
}
