import type { Network } from "../../domain/network.ts";
import type { AskInTurn } from "./ask-in-turn.ts";
import { chainOf } from "./solana-features.ts";
import type { ConnectedWallet, WalletConnection } from "./wallet-connection.ts";
import { WalletError, type WalletErrorKind } from "./wallet-error.ts";
import { WALLET_NAMES } from "./wallet-state.ts";

/** Signing requests of a connected wallet. Each uses the current account and throws WalletError. */
export interface WalletSigning {
  /** Signs the UTF-8 bytes of a text. */
  signMessage(text: string): Promise<Uint8Array>;
  /** Signs without sending; refuses any account other than `as`. */
  signTransaction(transaction: Uint8Array, network: Network, as: string): Promise<Uint8Array>;
  /** Signs as `as` and sends; returns the 64-byte signature. */
  signAndSendTransaction(
    transaction: Uint8Array,
    network: Network,
    as: string,
  ): Promise<Uint8Array>;
}

interface Question<T> {
  readonly kind: WalletErrorKind;
  /** Required account address; absent accepts the connected one. */
  readonly as?: string;
  ask(connected: ConnectedWallet): Promise<readonly T[]>;
}

/** Creates the signing requests of one connection; they run one after another. */
export function createWalletSigning(
  connection: WalletConnection,
  inTurn: AskInTurn,
): WalletSigning {
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
    async signMessage(text) {
      const message = new TextEncoder().encode(text);
      const { signature } = await answerOf({
        kind: "sign-message",
        ask: ({ wallet, account }) =>
          wallet.features["solana:signMessage"].signMessage({ account, message }),
      });
      return signature;
    },
    async signTransaction(transaction, network, as) {
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
    async signAndSendTransaction(transaction, network, as) {
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
