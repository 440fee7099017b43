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
