import type { Wallet, WalletAccount } from "@wallet-standard/base";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { Network } from "../../domain/network.ts";
import {
  chainOf,
  isUsable,
  type TransactionVersion,
  transactionVersionsOf,
  type UsableWallet,
} from "./solana-features.ts";
import { WalletError, type WalletErrorKind } from "./wallet-error.ts";
import {
  WALLET_NAMES,
  type WalletEvent,
  type WalletState,
  type WalletType,
} from "./wallet-state.ts";

interface Registry {
  get(): readonly Wallet[];
  on(event: "register" | "unregister", listener: () => void): () => void;
}

export interface WalletSession {
  readonly store: StoreApi<WalletState>;
  /** Watches for wallets; returns how to stop. */
  start(): () => void;
  /** Connects with a prompt. Throws WalletError. */
  connect(type: WalletType): Promise<string>;
  /** Connects without a prompt; null when the wallet wants one. Never throws. */
  connectSilently(type: WalletType): Promise<string | null>;
  disconnect(): Promise<void>;
  /** Signs text as UTF-8. Throws WalletError. */
  signMessage(text: string): Promise<Uint8Array>;
  /** Transaction versions the connected wallet signs; none while there is none. */
  transactionVersions(): readonly TransactionVersion[];
  /** Signs without sending, as that address and no other. Throws WalletError. */
  signTransaction(transaction: Uint8Array, network: Network, as: string): Promise<Uint8Array>;
  /** Signs as that address and sends; returns the signature's 64 bytes. Throws WalletError. */
  signAndSendTransaction(
    transaction: Uint8Array,
    network: Network,
    as: string,
  ): Promise<Uint8Array>;
  onEvent(listener: (event: WalletEvent) => void): () => void;
}

const DISCONNECTED = { type: null, address: "" } as const;

/** Keeps one connection to one wallet over the Wallet Standard and asks it one thing at a time. */
export function createWalletSession(registry: Registry): WalletSession {
  const store = createStore<WalletState>(() => ({
    status: "disconnected",
    available: [],
    ...DISCONNECTED,
  }));
  const listeners = new Set<(event: WalletEvent) => void>();
  let account: WalletAccount | null = null;
  let stopEvents: () => void = () => {};
  let turn: Promise<unknown> = Promise.resolve();

  const emit = (event: WalletEvent) => listeners.forEach((listener) => listener(event));
  const restingStatus = () => (store.getState().available.length > 0 ? "disconnected" : "absent");

  function find(type: WalletType): UsableWallet | undefined {
    return registry
      .get()
      .filter(isUsable)
      .find((wallet) => wallet.name === WALLET_NAMES[type]);
  }

  function discover(): void {
    const available = (["practice", "phantom"] as const).filter((type) => find(type) !== undefined);
    const { status } = store.getState();
    store.setState({
      available,
      ...(status === "absent" && available.length > 0 && { status: "disconnected" as const }),
    });
  }

  function forget(): void {
    stopEvents();
    stopEvents = () => {};
    account = null;
    store.setState({ status: restingStatus(), ...DISCONNECTED });
  }

  function adopt(wallet: UsableWallet, type: WalletType, next: WalletAccount): void {
    stopEvents();
    account = next;
    store.setState({ status: "connected", type, address: next.address });
    stopEvents = wallet.features["standard:events"].on("change", ({ accounts }) => {
      if (!accounts || store.getState().status !== "connected") return;
      const [first] = accounts;
      if (!first) {
        forget();
        emit({ kind: "dropped", type });
      } else if (first.address !== account?.address) {
        account = first;
        store.setState({ address: first.address });
        emit({ kind: "account-changed", type, address: first.address });
      } else {
        account = first;
      }
    });
  }

  /** Wallets show one window at a time, so requests wait for each other. */
  function inTurn<T>(request: () => Promise<T>): Promise<T> {
    const result = turn.then(request, request);
    turn = result.catch(() => {});
    return result;
  }

  async function connectWith(type: WalletType, silently: boolean): Promise<string | null> {
    const wallet = find(type);
    if (!wallet) throw new WalletError("not-ready", WALLET_NAMES[type]);
    store.setState({ status: "connecting" });
    try {
      const { accounts } = await inTurn(() =>
        wallet.features["standard:connect"].connect(silently ? { silent: true } : undefined),
      );
      const [first] = accounts;
      if (!first) {
        forget();
        if (silently) return null;
        throw new WalletError("account", WALLET_NAMES[type]);
      }
      adopt(wallet, type, first);
      emit({ kind: "connected", type, address: first.address, silently });
      return first.address;
    } catch (error) {
      forget();
      throw error instanceof WalletError
        ? error
        : new WalletError("connection", WALLET_NAMES[type], error);
    }
  }

  /** Asks the connected wallet for something, in turn, with the account of that moment. */
  async function ask<T>(
    kind: WalletErrorKind,
    request: (wallet: UsableWallet, account: WalletAccount) => Promise<readonly T[]>,
    as?: string,
  ): Promise<T> {
    const { type } = store.getState();
    const name = type ? WALLET_NAMES[type] : "Wallet";
    return inTurn(async () => {
      const wallet = type ? find(type) : undefined;
      if (!wallet || !account) throw new WalletError("not-connected", name);
      if (as !== undefined && account.address !== as) {
        throw new WalletError("account-changed", name);
      }
      try {
        const [answer] = await request(wallet, account);
        if (answer === undefined) throw new Error("The wallet answered nothing");
        return answer;
      } catch (error) {
        throw new WalletError(kind, name, error);
      }
    });
  }

  return {
    store,
    start() {
      discover();
      const stops = [registry.on("register", discover), registry.on("unregister", discover)];
      const timer = setTimeout(() => {
        if (store.getState().status === "disconnected") store.setState({ status: restingStatus() });
      }, ABSENT_AFTER_MS);
      return () => {
        clearTimeout(timer);
        stops.forEach((stop) => stop());
      };
    },
    async connect(type) {
      const address = await connectWith(type, false);
      if (address === null) throw new WalletError("account", WALLET_NAMES[type]);
      return address;
    },
    connectSilently: (type) => connectWith(type, true).catch(() => null),
    async disconnect() {
      const { type } = store.getState();
      const wallet = type ? find(type) : undefined;
      stopEvents();
      stopEvents = () => {};
      store.setState({ status: "disconnecting" });
      try {
        await wallet?.features["standard:disconnect"]?.disconnect();
      } catch (error) {
        throw new WalletError("disconnection", type ? WALLET_NAMES[type] : "Wallet", error);
      } finally {
        forget();
      }
    },
    async signMessage(text) {
      const message = new TextEncoder().encode(text);
      const { signature } = await ask("sign-message", (wallet, signer) =>
        wallet.features["solana:signMessage"].signMessage({ account: signer, message }),
      );
      return signature;
    },
    transactionVersions() {
      const { type } = store.getState();
      const wallet = type ? find(type) : undefined;
      return wallet && account ? transactionVersionsOf(wallet) : [];
    },
    async signTransaction(transaction, network, as) {
      const request = async (wallet: UsableWallet, signer: WalletAccount) => {
        const feature = wallet.features["solana:signTransaction"];
        if (!feature) throw new Error("The wallet cannot sign without sending");
        return feature.signTransaction({ account: signer, transaction, chain: chainOf(network) });
      };
      const { signedTransaction } = await ask("sign-transaction", request, as);
      return signedTransaction;
    },
    async signAndSendTransaction(transaction, network, as) {
      const request = async (wallet: UsableWallet, signer: WalletAccount) => {
        const feature = wallet.features["solana:signAndSendTransaction"];
        if (!feature) throw new Error("The wallet cannot send");
        return feature.signAndSendTransaction({
          account: signer,
          transaction,
          chain: chainOf(network),
        });
      };
      const { signature } = await ask("send-transaction", request, as);
      return signature;
    },
    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** A late extension gets this long before the page says that none is there. */
export const ABSENT_AFTER_MS = 500;
