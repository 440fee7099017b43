import { createStore } from "zustand/vanilla";
import {
  transactionVersionsOf,
  chainOf,
  type UsableFeatures,
  type UsableWallet,
  isUsable,
} from "./solana-features.ts";
import { WalletError, type WalletErrorKind } from "./wallet-error.ts";
import {
  WALLET_NAMES,
  type WalletEvent,
  type WalletState,
  type WalletType,
} from "./wallet-state.ts";
import type { Network } from "../../domain/network.ts";
import type { WalletAccount, Wallet } from "@wallet-standard/base";

/** Time an extension has to register before the status becomes `absent`, in milliseconds. */
export const ABSENT_AFTER_MS = 500;

/** Creates a Wallet Standard session: one connection, one request at a time. */
export function createWalletSession(registry: WalletRegistry) {
  const connection = createWalletConnection(registry);
  const inTurn = createTurns();
  const { store, discover } = connection;
  return {
    store,
    /** Watches for wallets; returns a function that stops it. */
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
    /** Connects with a prompt. Throws WalletError. */
    async connect(type: WalletType) {
      const address = await connectWallet(connection, inTurn, type, false);
      if (address === null) throw new WalletError("account", WALLET_NAMES[type]);
      return address;
    },
    /** Connects without a prompt; null when the wallet needs one. Never throws. */
    connectSilently: (type: WalletType) =>
      connectWallet(connection, inTurn, type, true).catch(() => null),
    disconnect: () => disconnectWallet(connection),
    /** Returns the transaction versions the connected wallet signs; empty without a wallet. */
    transactionVersions() {
      const connected = connection.current();
      return connected === null ? [] : transactionVersionsOf(connected.wallet);
    },
    onEvent: connection.onEvent,
    ...createWalletSigning(connection, inTurn),
  };
}

export type WalletSession = ReturnType<typeof createWalletSession>;

/** Connects a wallet with a prompt or silently; null when the silent attempt needs a prompt. Throws WalletError. */
async function connectWallet(
  connection: WalletConnection,
  inTurn: AskInTurn,
  type: WalletType,
  silently: boolean,
): Promise<string | null> {
  const wallet = connection.find(type);
  if (!wallet) throw new WalletError("not-ready", WALLET_NAMES[type]);
  connection.store.setState({ status: "connecting" });
  try {
    const { accounts } = await inTurn(() =>
      wallet.features["standard:connect"].connect(silently ? { silent: true } : undefined),
    );
    const [first] = accounts;
    if (!first) {
      connection.forget();
      if (silently) return null;
      throw new WalletError("account", WALLET_NAMES[type]);
    }
    connection.adopt(wallet, type, first);
    connection.emit({ kind: "connected", type, address: first.address, silently });
    return first.address;
  } catch (error) {
    connection.forget();
    throw error instanceof WalletError
      ? error
      : new WalletError("connection", WALLET_NAMES[type], error);
  }
}

/** Disconnects; the page's connection state is cleared even when the wallet fails. Throws WalletError. */
async function disconnectWallet(connection: WalletConnection): Promise<void> {
  const { type } = connection.store.getState();
  const wallet = type ? connection.find(type) : undefined;
  connection.stopListening();
  connection.store.setState({ status: "disconnecting" });
  try {
    await wallet?.features["standard:disconnect"]?.disconnect();
  } catch (error) {
    throw new WalletError("disconnection", type ? WALLET_NAMES[type] : "Wallet", error);
  } finally {
    connection.forget();
  }
}

interface Question<T> {
  readonly kind: WalletErrorKind;
  /** Required account address; absent accepts the connected one. */
  readonly as?: string;
  ask(connected: ConnectedWallet): Promise<readonly T[]>;
}

/**
 * Creates the signing requests of one connection; they run one after another. Each uses the current account and throws
 * WalletError.
 */
function createWalletSigning(connection: WalletConnection, inTurn: AskInTurn) {
  async function answerOf<T>({ kind, as, ask }: Question<T>): Promise<T> {
    const { type } = connection.store.getState();
    const name = type ? WALLET_NAMES[type] : "Wallet";
    return inTurn(async () => {
      const connected = connection.current();
      if (connected === null) throw new WalletError("not-connected", name);
      if (as !== undefined && connected.account.address !== as) {
        throw new WalletError("account-changed", name);
      }
      try {
        const [answer] = await ask(connected);
        if (answer === undefined) throw new Error("The wallet answered nothing");
        return answer;
      } catch (error) {
        throw new WalletError(kind, name, error);
      }
    });
  }

  return {
    /** Signs a text, as it is or in an envelope that the wallet chooses. */
    async signMessage(text: string): Promise<SignedMessage> {
      const message = new TextEncoder().encode(text);
      return answerOf({
        kind: "sign-message",
        ask: async ({ wallet: { features, name }, account }) =>
          (await signText(features, account, { text, message })).map(
            ({ signature, signedMessage = message }) => ({
              wallet: name,
              signature,
              signedMessage,
            }),
          ),
      });
    },
    /** Signs without sending; refuses any account other than `as`. */
    async signTransaction(transaction: Uint8Array, network: Network, as: string) {
      const { signedTransaction } = await answerOf({
        kind: "sign-transaction",
        as,
        async ask({ wallet, account }) {
          const feature = wallet.features["solana:signTransaction"];
          if (!feature) throw new Error("The wallet cannot sign without sending");
          return feature.signTransaction({ account, transaction, chain: chainOf(network) });
        },
      });
      return signedTransaction;
    },
    /** Signs as `as` and sends; returns the 64-byte signature. */
    async signAndSendTransaction(transaction: Uint8Array, network: Network, as: string) {
      const { signature } = await answerOf({
        kind: "send-transaction",
        as,
        async ask({ wallet, account }) {
          const feature = wallet.features["solana:signAndSendTransaction"];
          if (!feature) throw new Error("The wallet cannot send");
          return feature.signAndSendTransaction({ account, transaction, chain: chainOf(network) });
        },
      });
      return signature;
    },
  };
}

/** What a wallet answers that was asked to sign a text. */
export interface SignedMessage {
  /** Name of the wallet. */
  readonly wallet: string;
  readonly signature: Uint8Array;
  /** Bytes that it signed; the text's own where it does not say. */
  readonly signedMessage: Uint8Array;
}

async function signText(
  features: UsableFeatures,
  account: WalletAccount,
  { text, message }: { readonly text: string; readonly message: Uint8Array },
): Promise<readonly (Pick<SignedMessage, "signature"> & Partial<SignedMessage>)[]> {
  const { "solana:signMessage": plain, "solana:signOffchainMessage": enveloped } = features;
  const isEnveloped = account.features.includes("solana:signOffchainMessage");
  if (plain && (account.features.includes("solana:signMessage") || !isEnveloped)) {
    return plain.signMessage({ account, message });
  }
  if (!enveloped) throw new Error("The wallet signs no messages");
  const requiredSigners = [account.publicKey];
  const asked = { account, message: text, messageVersion: 1, requiredSigners } as const;
  return (await enveloped.signOffchainMessage(asked)).map(
    ({ signature, signedOffchainMessage: signedMessage }) => ({ signature, signedMessage }),
  );
}

/** Runs a request after all earlier ones have been answered. */
type AskInTurn = <T>(request: () => Promise<T>) => Promise<T>;

/** Creates a request queue: wallets show one window at a time, so requests run one after another. */
function createTurns(): AskInTurn {
  let turn: Promise<unknown> = Promise.resolve();
  return (request) => {
    const result = turn.then(request, request);
    turn = result.catch(() => {});
    return result;
  };
}

const DISCONNECTED = { type: null, address: "" } as const;

/** Connected wallet with its account. */
interface ConnectedWallet {
  readonly wallet: UsableWallet;
  readonly account: WalletAccount;
}

/** Creates a connection in the disconnected state. */
function createWalletConnection(registry: WalletRegistry) {
  const store = createStore<WalletState>(() => ({
    status: "disconnected",
    available: [],
    ...DISCONNECTED,
  }));
  const listeners = new Set<(event: WalletEvent) => void>();
  let account: WalletAccount | null = null;
  let stopEvents: () => void = () => {};
  /** Returns the registered wallet of a type if it has every required feature. */
  const find = (type: WalletType): UsableWallet | undefined =>
    registry.get().find((each) => each.name === WALLET_NAMES[type] && isUsable(each)) as
      | UsableWallet
      | undefined;
  const emit = (event: WalletEvent) => listeners.forEach((listener) => listener(event));
  /** Returns the status without a connection: `absent` when no wallet is available. */
  const restingStatus = () => (store.getState().available.length > 0 ? "disconnected" : "absent");

  /** Unsubscribes from the wallet's changes. */
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
    /** Returns the connected wallet; null without one. */
    current(): ConnectedWallet | null {
      const { type } = store.getState();
      const wallet = type ? find(type) : undefined;
      return wallet && account ? { wallet, account } : null;
    },
    /** Updates the list of available wallets. */
    discover() {
      const available = (["practice", "phantom", "solflare"] as const).filter(find);
      const { status } = store.getState();
      store.setState({
        available,
        ...(status === "absent" && available.length > 0 && { status: "disconnected" as const }),
      });
    },
    /** Sets the connected account and subscribes to its changes. */
    adopt(wallet: UsableWallet, type: WalletType, next: WalletAccount) {
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
    onEvent(listener: (event: WalletEvent) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

type WalletConnection = ReturnType<typeof createWalletConnection>;

/** Wallet Standard registry of wallets on this page. */
interface WalletRegistry {
  get(): readonly Wallet[];
  on(event: "register" | "unregister", listener: () => void): () => void;
}
