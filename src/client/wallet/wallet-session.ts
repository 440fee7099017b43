import type { StoreApi } from "zustand/vanilla";
import { createTurns } from "./ask-in-turn.ts";
import { connectWallet, disconnectWallet } from "./connect-wallet.ts";
import { type TransactionVersion, transactionVersionsOf } from "./solana-features.ts";
import { createWalletConnection } from "./wallet-connection.ts";
import { WalletError } from "./wallet-error.ts";
import type { WalletRegistry } from "./wallet-registry.ts";
import { createWalletSigning, type WalletSigning } from "./wallet-signing.ts";
import {
  WALLET_NAMES,
  type WalletEvent,
  type WalletState,
  type WalletType,
} from "./wallet-state.ts";

export interface WalletSession extends WalletSigning {
  readonly store: StoreApi<WalletState>;
  /** Watches for wallets; returns a function that stops it. */
  start(): () => void;
  /** Connects with a prompt. Throws WalletError. */
  connect(type: WalletType): Promise<string>;
  /** Connects without a prompt; null when the wallet needs one. Never throws. */
  connectSilently(type: WalletType): Promise<string | null>;
  disconnect(): Promise<void>;
  /** Returns the transaction versions the connected wallet signs; empty without a wallet. */
  transactionVersions(): readonly TransactionVersion[];
  onEvent(listener: (event: WalletEvent) => void): () => void;
}

/** Time an extension has to register before the status becomes `absent`, in milliseconds. */
export const ABSENT_AFTER_MS = 500;

/** Creates a Wallet Standard session: one connection, one request at a time. */
export function createWalletSession(registry: WalletRegistry): WalletSession {
  const connection = createWalletConnection(registry);
  const inTurn = createTurns();
  const { store, discover } = connection;
  return {
    store,
    start() {
      discover();
      const stops = [registry.on("register", discover), registry.on("unregister", discover)];
      const timer = setTimeout(() => {
        if (store.getState().status !== "disconnected") return;
        store.setState({ status: connection.restingStatus() });
      }, ABSENT_AFTER_MS);
      return () => {
        clearTimeout(timer);
        stops.forEach((stop) => stop());
      };
    },
    async connect(type) {
      const address = await connectWallet(connection, inTurn, type, false);
      if (address === null) throw new WalletError("account", WALLET_NAMES[type]);
      return address;
    },
    connectSilently: (type) => connectWallet(connection, inTurn, type, true).catch(() => null),
    disconnect: () => disconnectWallet(connection),
    transactionVersions() {
      const connected = connection.current();
      return connected === null ? [] : transactionVersionsOf(connected.wallet);
    },
    onEvent: connection.onEvent,
    ...createWalletSigning(connection, inTurn),
  };
}
