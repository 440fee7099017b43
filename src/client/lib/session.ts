import type { OwnerAddress } from "../../domain/ids.ts";
import { createStore } from "zustand/vanilla";
import { useStore } from "zustand";

/**
 * `restoring` tries the refresh cookie at start; `signed-out` waits for a click; `signing-in` waits for the wallet.
 */
export type SessionStatus = "restoring" | "signed-out" | "signing-in" | "signed-in";

/** The signed-in wallet; the empty text where nobody is signed in. */
export type SignedInWallet = OwnerAddress | "";

interface SessionState {
  readonly status: SessionStatus;
  /** Wallet the session belongs to; empty unless signed in. */
  readonly address: SignedInWallet;
}

export const session = createStore<SessionState>(() => ({ status: "signed-out", address: "" }));

/** Address of the signed-in wallet, empty when nobody is. Queries with an empty address do not run. */
export function useOwner(): SignedInWallet {
  return useStore(session, (state) => state.address);
}

export function useSessionStatus(): SessionStatus {
  return useStore(session, (state) => state.status);
}

/** Returns whether nobody is signed in; not while a session of before is still looked for. */
export function useIsSignedOut(): boolean {
  return useStore(session, ({ status }) => status === "signed-out" || status === "signing-in");
}

interface TokenClaims {
  /** Seconds since the Unix epoch. */
  readonly exp?: unknown;
  /** Wallet address. */
  readonly sub?: unknown;
}

/** Returns the token's claims, unverified; null when it cannot be decoded. */
function readClaims(token: string): TokenClaims | null {
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
