import type { Network } from "../../domain/network.ts";
import type { AskInTurn } from "./ask-in-turn.ts";
import { chainOf } from "./solana-features.ts";
import type { ConnectedWallet, WalletConnection } from "./wallet-connection.ts";
import { WalletError, type WalletErrorKind } from "./wallet-error.ts";
import { WALLET_NAMES } from "./wallet-state.ts";

/** What a connected wallet signs. Each asks the account of that moment and throws WalletError. */
export interface WalletSigning {
  /** Signs text as UTF-8. */
  signMessage(text: string): Promise<Uint8Array>;
  /** Signs without sending, as that address and no other. */
  signTransaction(transaction: Uint8Array, network: Network, as: string): Promise<Uint8Array>;
  /** Signs as that address and sends; returns the signature's 64 bytes. */
  signAndSendTransaction(
    transaction: Uint8Array,
    network: Network,
    as: string,
  ): Promise<Uint8Array>;
}

interface Question<T> {
  readonly kind: WalletErrorKind;
  /** The only address that may answer; absent: whichever is connected. */
  readonly as?: string;
  ask(connected: ConnectedWallet): Promise<readonly T[]>;
}

/** Makes the requests of one connection, asked one after the other. */
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
