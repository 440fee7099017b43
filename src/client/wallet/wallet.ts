import { getWallets } from "@wallet-standard/app";
import { createWalletSession } from "./wallet-session.ts";
import { useStore } from "zustand";
import type { WalletState } from "./wallet-state.ts";

/** Wallet session of this page. */
export const wallet = createWalletSession(getWallets());

export function useWallet<T>(select: (state: WalletState) => T): T {
  return useStore(wallet.store, select);
}
