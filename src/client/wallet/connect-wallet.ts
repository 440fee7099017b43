import type { AskInTurn } from "./ask-in-turn.ts";
import type { WalletConnection } from "./wallet-connection.ts";
import { WalletError } from "./wallet-error.ts";
import { WALLET_NAMES, type WalletType } from "./wallet-state.ts";

/** Connects a wallet with a prompt or silently; null when the silent attempt needs a prompt. Throws WalletError. */
export async function connectWallet(
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
export async function disconnectWallet(connection: WalletConnection): Promise<void> {
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
