import type { Wallet, WalletAccount } from "@wallet-standard/base";
import type {
  StandardConnectFeature,
  StandardDisconnectFeature,
  StandardEventsFeature,
  StandardEventsListeners,
} from "@wallet-standard/features";
import { BUILT_IN_NETWORKS, type BuiltInNetwork } from "../../domain/network.ts";
import { decodeBase58 } from "../../domain/base58.ts";
import { toBase64 } from "../lib/base64.ts";
import {
  type SignAndSendTransactionFeature,
  type SignInFeature,
  type SignMessageFeature,
  type SignTransactionFeature,
  chainOf,
} from "./solana-features.ts";
import { WALLET_NAMES } from "./wallet-state.ts";
import type { WalletQuestion } from "./practice-approvals.ts";
import type { PracticeKey } from "./practice-key.ts";

interface PracticeWalletDeps extends PracticeAccountDeps {
  /** Submits a signed transaction, base64, to a built-in network; returns its base58 signature. */
  readonly send: (transaction: string, network: BuiltInNetwork) => Promise<string>;
}

type ConnectFeatures = StandardConnectFeature & StandardDisconnectFeature & StandardEventsFeature;

type SignFeatures = SignMessageFeature &
  SignInFeature &
  SignTransactionFeature &
  SignAndSendTransactionFeature;

const VERSIONS = ["legacy", 0, 1] as const;
const ICON =
  "data:image/svg+xml;base64,PHN2ZyB4bWxucz0naHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmcnIHZpZXdCb3g9JzAgMCAyNCAyNCc+PHJlY3Qgd2lkdGg9JzI0JyBoZWlnaHQ9JzI0JyByeD0nNicgZmlsbD0nI2YzYmI1YycvPjxwYXRoIGQ9J005IDVoNk0xMCA1djVsLTQgOGgxMmwtNC04VjUnIGZpbGw9J25vbmUnIHN0cm9rZT0nIzJhMjAwZCcgc3Ryb2tlLXdpZHRoPScyJy8+PC9zdmc+" as const;

function connectFeatures(account: PracticeAccount): ConnectFeatures {
  return {
    "standard:connect": { version: "1.0.0", connect: account.connect },
    "standard:disconnect": {
      version: "1.0.0",
      async disconnect() {
        account.disconnect();
      },
    },
    "standard:events": {
      version: "1.0.0",
      on: (_event, listener) => account.onChange(listener),
    },
  };
}

function signInFeature(account: PracticeAccount): SignInFeature {
  return {
    "solana:signIn": {
      version: "1.0.0",
      async signIn(...inputs) {
        const { accounts } = await account.connect();
        const [signer] = accounts;
        if (!signer) throw new Error("The practice wallet has no account");
        return Promise.all(
          inputs.map(async ({ domain, statement, nonce }) => {
            const text = [
              `${domain ?? location.host} wants you to sign in with your Solana account:`,
              signer.address,
              ...(statement ? ["", statement] : []),
              ...(nonce ? ["", `Nonce: ${nonce}`] : []),
            ].join("\n");
            const signed = await account.signText(new TextEncoder().encode(text));
            return { account: signer, ...signed };
          }),
        );
      },
    },
  };
}

function signFeatures(account: PracticeAccount, send: PracticeWalletDeps["send"]): SignFeatures {
  return {
    ...signInFeature(account),
    "solana:signMessage": {
      version: "1.1.0",
      signMessage: (...inputs) =>
        Promise.all(inputs.map(({ message }) => account.signText(message))),
    },
    "solana:signTransaction": {
      version: "1.0.0",
      supportedTransactionVersions: VERSIONS,
      signTransaction: (...inputs) =>
        Promise.all(
          inputs.map(async ({ transaction, chain }) => ({
            signedTransaction: await account.signBytes(transaction, chain),
          })),
        ),
    },
    "solana:signAndSendTransaction": {
      version: "1.0.0",
      supportedTransactionVersions: VERSIONS,
      signAndSendTransaction: (...inputs) =>
        Promise.all(
          inputs.map(async ({ transaction, chain }) => {
            const signed = await account.signBytes(transaction, chain);
            const signature = decodeBase58(await send(toBase64(signed), networkOf(chain)), 64);
            if (signature === null) throw new Error("The network answered no signature");
            return { signature };
          }),
        ),
    },
  };
}

/** Creates the in-page practice wallet: like an extension, with Ed25519 signatures and one approval per request. */
export function createPracticeWallet(
  deps: PracticeWalletDeps,
): Wallet & { features: ConnectFeatures & SignFeatures } {
  const account = createPracticeAccount(deps);
  return {
    version: "1.0.0",
    name: WALLET_NAMES.practice,
    icon: ICON,
    chains: CHAINS,
    get accounts() {
      return account.accounts();
    },
    features: { ...connectFeatures(account), ...signFeatures(account, deps.send) },
  };
}

const CHAINS = BUILT_IN_NETWORKS.map(chainOf);

/** Returns the network of a chain. Throws for every one with real money. */
function networkOf(chain: string): BuiltInNetwork {
  const network = BUILT_IN_NETWORKS.find((each) => chainOf(each) === chain);
  if (network === undefined) throw new Error("The practice wallet signs for play money only");
  return network;
}

const FEATURES = [
  "solana:signMessage",
  "solana:signTransaction",
  "solana:signAndSendTransaction",
] as const;

interface PracticeAccountDeps {
  readonly openKey: () => Promise<PracticeKey>;
  readonly approve: (question: WalletQuestion) => Promise<void>;
}

/** Creates the account: connection, and signatures after the approval of each request. Its key is loaded on the first. */
function createPracticeAccount(deps: PracticeAccountDeps) {
  let account: WalletAccount | null = null;
  let key: PracticeKey | null = null;
  const listeners = new Set<StandardEventsListeners["change"]>();
  const accounts = () => (account ? [account] : []);
  const tell = () => listeners.forEach((listener) => listener({ accounts: accounts() }));

  function connected(): PracticeKey {
    if (!key || !account) throw new Error("The practice wallet is not connected");
    return key;
  }

  return {
    /** Returns the account while connected; empty otherwise. */
    accounts,
    async connect({ silent }: { readonly silent?: boolean } = {}): Promise<{
      accounts: readonly WalletAccount[];
    }> {
      key = await deps.openKey();
      if (!key.isTrusted) {
        if (silent) return { accounts: [] };
        key.setTrusted(true);
      }
      const { address, publicKey } = key;
      account = { address, publicKey, chains: CHAINS, features: FEATURES };
      tell();
      return { accounts: [account] };
    },
    disconnect() {
      key?.setTrusted(false);
      account = null;
      tell();
    },
    onChange(listener: StandardEventsListeners["change"]) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async signText(message: Uint8Array) {
      const signer = connected();
      await deps.approve({
        kind: "message",
        address: signer.address,
        message: new TextDecoder().decode(message),
      });
      return { signedMessage: message, signature: signer.sign(message) };
    },
    /** Signs a transaction. Throws for every chain except those of built-in networks. */
    async signBytes(transaction: Uint8Array, chain: string): Promise<Uint8Array> {
      const network = networkOf(chain);
      const signer = connected();
      await deps.approve({ kind: "transaction", address: signer.address, network });
      return signTransactionBytes(transaction, signer);
    },
  };
}

type PracticeAccount = ReturnType<typeof createPracticeAccount>;

/** Decodes Solana's compact-u16 length. */
function readCount(bytes: Uint8Array, start: number): { count: number; next: number } {
  let count = 0;
  for (let index = 0; index < 3; index++) {
    const byte = bytes[start + index];
    if (byte === undefined) throw new Error("The transaction ends early");
    count |= (byte & 0x7f) << (7 * index);
    if ((byte & 0x80) === 0) return { count, next: start + index + 1 };
  }
  throw new Error("The transaction has a bad count");
}

/** First byte of a version 1 transaction, in which the message precedes the signatures. */
const VERSION_1 = 0x81;
/** Offset of the account keys in a version 1 message: version, header, settings mask, blockhash, two counts. */
const V1_KEYS_AT = 1 + 3 + 4 + 32 + 1 + 1;
const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;

/** Offsets of message, signer keys and signatures in a transaction, in bytes. */
interface Layout {
  readonly message: Uint8Array;
  readonly signerCount: number;
  /** Offset within the message. */
  readonly keysAt: number;
  readonly signaturesAt: number;
}

function layoutOf(transaction: Uint8Array): Layout {
  if (transaction[0] === VERSION_1) {
    const signerCount = transaction[1] ?? 0;
    const signaturesAt = transaction.length - signerCount * SIGNATURE_BYTES;
    if (signaturesAt <= V1_KEYS_AT) throw new Error("The transaction ends early");
    const message = transaction.subarray(0, signaturesAt);
    return { message, signerCount, keysAt: V1_KEYS_AT, signaturesAt };
  }
  const signatures = readCount(transaction, 0);
  const message = transaction.subarray(signatures.next + signatures.count * SIGNATURE_BYTES);
  const header = ((message[0] ?? 0) & 0x80) === 0 ? 0 : 1;
  return {
    message,
    signerCount: Math.min(message[header] ?? 0, signatures.count),
    keysAt: readCount(message, header + 3).next,
    signaturesAt: signatures.next,
  };
}

/** Returns the transaction with our signature in the slot of our key. */
function signTransactionBytes(
  transaction: Uint8Array,
  { publicKey, sign }: PracticeKey,
): Uint8Array {
  const { message, signerCount, keysAt, signaturesAt } = layoutOf(transaction);
  const place = Array.from({ length: signerCount }).findIndex((_, index) => {
    const at = keysAt + index * KEY_BYTES;
    return publicKey.every((byte, offset) => message[at + offset] === byte);
  });
  if (place === -1) {
    throw new Error("The transaction does not ask for this wallet's signature");
  }
  const signed = transaction.slice();
  signed.set(sign(message), signaturesAt + place * SIGNATURE_BYTES);
  return signed;
}
