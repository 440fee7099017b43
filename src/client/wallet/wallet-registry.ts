import type { Wallet } from "@wallet-standard/base";
import { isUsable, type UsableWallet } from "./solana-features.ts";
import { WALLET_NAMES, type WalletType } from "./wallet-state.ts";

/** Wallet Standard registry of wallets on this page. */
export interface WalletRegistry {
  get(): readonly Wallet[];
  on(event: "register" | "unregister", listener: () => void): () => void;
}

/** Returns the registered wallet of a type if it has every required feature. */
export function findWallet(registry: WalletRegistry, type: WalletType): UsableWallet | undefined {
  return registry
    .get()
    .filter(isUsable)
    .find((wallet) => wallet.name === WALLET_NAMES[type]);
}
