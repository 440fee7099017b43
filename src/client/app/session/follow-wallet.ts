import type { QueryClient } from "@tanstack/react-query";
import { shortenAddress } from "../../lib/format.ts";
import { session } from "../../lib/session.ts";
import { storedToken, storedWallet, storedWalletDisplay } from "../../lib/storage.ts";
import { wait } from "../../lib/wait.ts";
import type { WalletSession } from "../../wallet/wallet-session.ts";
import type { WalletEvent } from "../../wallet/wallet-state.ts";
import { forgetWallet, logOut, showSignedOut } from "./end-session.ts";
import { restoreSession } from "./restore-session.ts";
import { AFTER_ACCOUNT_CHANGE_MS, AFTER_CONNECT_MS } from "./session-waits.ts";
import { sayConnected, sayDisconnected } from "./session-words.ts";

/** Handles events of the wallet itself, such as an account change, so that the data shown belongs to it. */
export async function followWallet(
  event: WalletEvent,
  wallet: WalletSession,
  queryClient: QueryClient,
): Promise<void> {
  if (event.kind === "dropped") {
    showSignedOut(queryClient);
    forgetWallet();
    sayDisconnected(event.type);
    await logOut();
    return;
  }
  const { address, type } = event;
  storedWallet.write({ walletType: type, walletAddress: address });
  storedWalletDisplay.write(shortenAddress(address));
  if (event.kind === "account-changed") {
    showSignedOut(queryClient);
    session.setState({ status: "restoring" });
    await logOut();
    await wait(AFTER_ACCOUNT_CHANGE_MS);
  } else if (!event.silently) {
    sayConnected(type);
    if (storedToken.read() !== null) {
      session.setState({ status: "restoring" });
      await wait(AFTER_CONNECT_MS);
    }
  }
  if (wallet.store.getState().address === address) await restoreSession(wallet, address);
}
