import type { WalletAccount } from "@wallet-standard/base";
import type { StandardEventsListeners } from "@wallet-standard/features";
import type { WalletQuestion } from "./practice-approvals.ts";
import type { PracticeKey } from "./practice-key.ts";
import { signTransactionBytes } from "./sign-transaction-bytes.ts";
import { chainOf } from "./solana-features.ts";

export const PRACTICE_CHAIN = chainOf("practice");

const FEATURES = [
  "solana:signMessage",
  "solana:signTransaction",
  "solana:signAndSendTransaction",
] as const;

export interface PracticeAccountDeps {
  readonly openKey: () => Promise<PracticeKey>;
  readonly approve: (question: WalletQuestion) => Promise<void>;
}

/** Account of the practice wallet: connection, and signatures after the user's approval of each request. */
export interface PracticeAccount {
  /** Returns the account while connected; empty otherwise. */
  accounts(): readonly WalletAccount[];
  connect(how?: { silent?: boolean }): Promise<{ accounts: readonly WalletAccount[] }>;
  disconnect(): void;
  onChange(listener: StandardEventsListeners["change"]): () => void;
  signText(message: Uint8Array): Promise<{ signedMessage: Uint8Array; signature: Uint8Array }>;
  /** Signs a transaction. Throws for every chain except the practice network's. */
  signBytes(transaction: Uint8Array, chain: string): Promise<Uint8Array>;
}

/** Creates the account; its key is loaded on the first connection. */
export function createPracticeAccount(deps: PracticeAccountDeps): PracticeAccount {
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
    accounts,
    async connect({ silent } = {}) {
      key = await deps.openKey();
      if (!key.isTrusted) {
        if (silent) return { accounts: [] };
        await deps.approve({ kind: "connect", address: key.address });
        key.setTrusted(true);
      }
      const { address, publicKey } = key;
      account = { address, publicKey, chains: [PRACTICE_CHAIN], features: FEATURES };
      tell();
      return { accounts: [account] };
    },
    disconnect() {
      key?.setTrusted(false);
      account = null;
      tell();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async signText(message) {
      const signer = connected();
      await deps.approve({
        kind: "message",
        address: signer.address,
        message: new TextDecoder().decode(message),
      });
      return { signedMessage: message, signature: signer.sign(message) };
    },
    async signBytes(transaction, chain) {
      if (chain !== PRACTICE_CHAIN) {
        throw new Error("The practice wallet signs for the practice network only");
      }
      const signer = connected();
      await deps.approve({ kind: "transaction", address: signer.address });
      return signTransactionBytes(transaction, signer.publicKey, signer.sign).transaction;
    },
  };
}
