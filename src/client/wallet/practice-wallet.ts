import type { Wallet, WalletAccount } from "@wallet-standard/base";
import type {
  StandardConnectFeature,
  StandardDisconnectFeature,
  StandardEventsFeature,
  StandardEventsListeners,
} from "@wallet-standard/features";
import { decodeBase58 } from "../lib/base58.ts";
import { toBase64 } from "../lib/base64.ts";
import type { ApprovalRequest } from "./practice-approvals.ts";
import type { PracticeKey } from "./practice-key.ts";
import { signTransactionBytes } from "./sign-transaction-bytes.ts";
import {
  chainOf,
  type SignAndSendTransactionFeature,
  type SignInFeature,
  type SignMessageFeature,
  type SignTransactionFeature,
} from "./solana-features.ts";
import { WALLET_NAMES } from "./wallet-state.ts";

interface PracticeWalletDeps {
  readonly openKey: () => Promise<PracticeKey>;
  readonly approve: (request: ApprovalRequest) => Promise<void>;
  /** Hands a signed transaction, base64, to the practice network; answers its signature in base58. */
  readonly send: (transaction: string) => Promise<string>;
}

type Features = StandardConnectFeature &
  StandardDisconnectFeature &
  StandardEventsFeature &
  SignMessageFeature &
  SignInFeature &
  SignTransactionFeature &
  SignAndSendTransactionFeature;

const PRACTICE = chainOf("practice");
const ICON =
  "data:image/svg+xml;base64,PHN2ZyB4bWxucz0naHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmcnIHZpZXdCb3g9JzAgMCAyNCAyNCc+PHJlY3Qgd2lkdGg9JzI0JyBoZWlnaHQ9JzI0JyByeD0nNicgZmlsbD0nI2YzYmI1YycvPjxwYXRoIGQ9J005IDVoNk0xMCA1djVsLTQgOGgxMmwtNC04VjUnIGZpbGw9J25vbmUnIHN0cm9rZT0nIzJhMjAwZCcgc3Ryb2tlLXdpZHRoPScyJy8+PC9zdmc+" as const;

/** A wallet of this page that behaves like an extension: real Ed25519 signatures, one approval per request. */
export function createPracticeWallet(deps: PracticeWalletDeps): Wallet & { features: Features } {
  let account: WalletAccount | null = null;
  let key: PracticeKey | null = null;
  const listeners = new Set<StandardEventsListeners["change"]>();
  const features = [
    "solana:signMessage",
    "solana:signTransaction",
    "solana:signAndSendTransaction",
  ] as const;

  const tell = () =>
    listeners.forEach((listener) => listener({ accounts: account ? [account] : [] }));

  function connected(): PracticeKey {
    if (!key || !account) throw new Error("The practice wallet is not connected");
    return key;
  }

  function requirePractice(chain: string): void {
    if (chain !== PRACTICE)
      throw new Error("The practice wallet signs for the practice network only");
  }

  async function connect({ silent }: { silent?: boolean } = {}) {
    key = await deps.openKey();
    if (!key.isTrusted) {
      if (silent) return { accounts: [] };
      await deps.approve({ kind: "connect", address: key.address });
      key.setTrusted(true);
    }
    account = { address: key.address, publicKey: key.publicKey, chains: [PRACTICE], features };
    tell();
    return { accounts: [account] };
  }

  async function signText(message: Uint8Array) {
    const signer = connected();
    await deps.approve({
      kind: "message",
      address: signer.address,
      message: new TextDecoder().decode(message),
    });
    return { signedMessage: message, signature: signer.sign(message) };
  }

  async function signBytes(transaction: Uint8Array, chain: string) {
    requirePractice(chain);
    const signer = connected();
    await deps.approve({ kind: "transaction", address: signer.address });
    return signTransactionBytes(transaction, signer.publicKey, signer.sign);
  }

  return {
    version: "1.0.0",
    name: WALLET_NAMES.practice,
    icon: ICON,
    chains: [PRACTICE],
    get accounts() {
      return account ? [account] : [];
    },
    features: {
      "standard:connect": { version: "1.0.0", connect },
      "standard:disconnect": {
        version: "1.0.0",
        async disconnect() {
          key?.setTrusted(false);
          account = null;
          tell();
        },
      },
      "standard:events": {
        version: "1.0.0",
        on(_event, listener) {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      },
      "solana:signMessage": {
        version: "1.1.0",
        signMessage: (...inputs) => Promise.all(inputs.map(({ message }) => signText(message))),
      },
      "solana:signIn": {
        version: "1.0.0",
        async signIn(...inputs) {
          const { accounts } = await connect();
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
              return { account: signer, ...(await signText(new TextEncoder().encode(text))) };
            }),
          );
        },
      },
      "solana:signTransaction": {
        version: "1.0.0",
        supportedTransactionVersions: ["legacy", 0, 1],
        signTransaction: (...inputs) =>
          Promise.all(
            inputs.map(async ({ transaction, chain }) => ({
              signedTransaction: (await signBytes(transaction, chain)).transaction,
            })),
          ),
      },
      "solana:signAndSendTransaction": {
        version: "1.0.0",
        supportedTransactionVersions: ["legacy", 0, 1],
        signAndSendTransaction: (...inputs) =>
          Promise.all(
            inputs.map(async ({ transaction, chain }) => {
              const signed = await signBytes(transaction, chain);
              return { signature: decodeBase58(await deps.send(toBase64(signed.transaction))) };
            }),
          ),
      },
    },
  };
}
