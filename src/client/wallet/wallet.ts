import { getWallets } from "@wallet-standard/app";
import { useStore } from "zustand";
import { createWalletSession } from "./wallet-session.ts";
import type { WalletState } from "./wallet-state.ts";

/** Wallet session of this page. */
export const wallet = createWalletSession(getWallets());

export function useWallet<T>(select: (state: WalletState) => T): T {
  return useStore(wallet.store, select);
}
