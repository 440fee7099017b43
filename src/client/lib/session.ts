import { createStore } from "zustand/vanilla";
import { useStore } from "zustand";

/**
 * `restoring` tries the refresh cookie at start; `signed-out` waits for a click; `signing-in` waits for the wallet.
 */
export type SessionStatus = "restoring" | "signed-out" | "signing-in" | "signed-in";

interface SessionState {
  readonly status: SessionStatus;
  /** Wallet the session belongs to; empty unless signed in. */
  readonly address: string;
}

export const session = createStore<SessionState>(() => ({ status: "signed-out", address: "" }));

/** Address of the signed-in wallet, empty when nobody is. Queries with an empty address do not run. */
export function useOwner(): string {
  return useStore(session, (state) => state.address);
}

export function useSessionStatus(): SessionStatus {
  return useStore(session, (state) => state.status);
}
