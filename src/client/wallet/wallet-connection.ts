import type { WalletAccount } from "@wallet-standard/base";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { UsableWallet } from "./solana-features.ts";
import { findWallet, type WalletRegistry } from "./wallet-registry.ts";
import type { WalletEvent, WalletState, WalletType } from "./wallet-state.ts";

const DISCONNECTED = { type: null, address: "" } as const;

/** Connected wallet with its account. */
export interface ConnectedWallet {
  readonly wallet: UsableWallet;
  readonly account: WalletAccount;
}

/** Connection to one wallet: its state and its listeners. */
export interface WalletConnection {
  readonly store: StoreApi<WalletState>;
  find(type: WalletType): UsableWallet | undefined;
  /** Returns the connected wallet; null without one. */
  current(): ConnectedWallet | null;
  /** Updates the list of available wallets. */
  discover(): void;
  /** Sets the connected account and subscribes to its changes. */
  adopt(wallet: UsableWallet, type: WalletType, account: WalletAccount): void;
  /** Unsubscribes from the wallet's changes. */
  stopListening(): void;
  forget(): void;
  /** Returns the status without a connection: `absent` when no wallet is available. */
  restingStatus(): "disconnected" | "absent";
  emit(event: WalletEvent): void;
  onEvent(listener: (event: WalletEvent) => void): () => void;
}

/** Creates a connection in the disconnected state. */
export function createWalletConnection(registry: WalletRegistry): WalletConnection {
  const store = createStore<WalletState>(() => ({
    status: "disconnected",
    available: [],
    ...DISCONNECTED,
  }));
  const listeners = new Set<(event: WalletEvent) => void>();
  let account: WalletAccount | null = null;
  let stopEvents: () => void = () => {};
  const find = (type: WalletType) => findWallet(registry, type);
  const emit = (event: WalletEvent) => listeners.forEach((listener) => listener(event));
  const restingStatus = () => (store.getState().available.length > 0 ? "disconnected" : "absent");

  function stopListening(): void {
    stopEvents();
    stopEvents = () => {};
  }

  function forget(): void {
    stopListening();
    account = null;
    store.setState({ status: restingStatus(), ...DISCONNECTED });
  }

  function follow(type: WalletType, first: WalletAccount | undefined): void {
    if (!first) {
      forget();
      emit({ kind: "dropped", type });
      return;
    }
    const isOther = first.address !== account?.address;
    account = first;
    if (!isOther) return;
    store.setState({ address: first.address });
    emit({ kind: "account-changed", type, address: first.address });
  }

  return {
    store,
    find,
    current() {
      const { type } = store.getState();
      const wallet = type ? find(type) : undefined;
      return wallet && account ? { wallet, account } : null;
    },
    discover() {
      const available = (["practice", "phantom"] as const).filter((type) => find(type));
      const { status } = store.getState();
      store.setState({
        available,
        ...(status === "absent" && available.length > 0 && { status: "disconnected" as const }),
      });
    },
    adopt(wallet, type, next) {
      stopListening();
      account = next;
      store.setState({ status: "connected", type, address: next.address });
      stopEvents = wallet.features["standard:events"].on("change", ({ accounts }) => {
        if (accounts && store.getState().status === "connected") follow(type, accounts[0]);
      });
    },
    stopListening,
    forget,
    restingStatus,
    emit,
    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
