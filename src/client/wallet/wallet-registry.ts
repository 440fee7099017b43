import type { Wallet } from "@wallet-standard/base";
import { isUsable, type UsableWallet } from "./solana-features.ts";
import { WALLET_NAMES, type WalletType } from "./wallet-state.ts";

/** The wallets that registered with the page, as the Wallet Standard hands them out. */
export interface WalletRegistry {
  get(): readonly Wallet[];
  on(event: "register" | "unregister", listener: () => void): () => void;
}

/** Finds a registered wallet that can do everything the page needs. */
export function findWallet(registry: WalletRegistry, type: WalletType): UsableWallet | undefined {
  return registry
    .get()
    .filter(isUsable)
    .find((wallet) => wallet.name === WALLET_NAMES[type]);
}
