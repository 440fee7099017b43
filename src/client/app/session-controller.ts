import type { QueryClient } from "@tanstack/react-query";
import { parseOwner } from "../../domain/ids.ts";
import { authenticate } from "../features/account/authenticate.ts";
import { forgetAiKey } from "../lib/ai/ai-key.ts";
import { onConfirmation, onSignedOut } from "../lib/api.ts";
import { encodeBase58 } from "../../domain/base58.ts";
import { session } from "../lib/session.ts";
import { storedToken } from "../lib/storage.ts";
import { toastError, toastProblem } from "../lib/toast.ts";
import { ensureConnected } from "../wallet/ensure-connected.ts";
import type { WalletSession } from "../wallet/wallet-session.ts";
import type { WalletType } from "../wallet/wallet-state.ts";
import { closeAllButForm } from "../lib/dialogs.ts";
import { forgetWallet, logOut, showSignedOut } from "./session/end-session.ts";
import { followWallet } from "./session/follow-wallet.ts";
import { reconnectWallet } from "./session/restore-session.ts";
import { sayDisconnected, sayFault } from "./session/session-words.ts";

export interface SessionController {
  /** Reconnects without a prompt and subscribes to the wallet; returns a function that stops it. */
  start(): () => void;
  connect(type: WalletType): Promise<void>;
  /** Requests one signature from the wallet; resolves to whether signing in succeeded. */
  signIn(): Promise<boolean>;
  disconnect(): Promise<void>;
}

async function signIn(wallet: WalletSession): Promise<boolean> {
  const { address } = wallet.store.getState();
  if (address === "" || session.getState().status === "signing-in") return false;
  session.setState({ status: "signing-in" });
  try {
    const token = await authenticate(address, wallet.signMessage);
    if (wallet.store.getState().address !== address) return false;
    storedToken.write(token);
    session.setState({ status: "signed-in", address: parseOwner(address) });
    return true;
  } catch (error) {
    session.setState({ status: "signed-out", address: "" });
    sayFault(error);
    return false;
  }
}

/** Handles a session ended by the server; an open form stays open, so that its input is kept. */
function endByServer(wallet: WalletSession, queryClient: QueryClient): void {
  if (session.getState().status === "signed-out") return;
  showSignedOut(queryClient, closeAllButForm);
  forgetWallet();
  toastProblem({
    title: "Authentication failed",
    message: "Your session has ended. Connect your wallet and sign in again.",
  });
  void wallet.disconnect().catch(() => {});
}

/** Keeps wallet, token and query cache consistent: the data shown always belongs to the connected wallet. */
export function createSessionController(
  wallet: WalletSession,
  queryClient: QueryClient,
): SessionController {
  let isEnding = false;
  return {
    start() {
      onConfirmation(async (message) => {
        await ensureConnected(wallet);
        return encodeBase58(await wallet.signMessage(message));
      });
      const stops = [
        wallet.start(),
        wallet.onEvent((event) => void followWallet(event, wallet, queryClient)),
        onSignedOut(() => {
          if (!isEnding) endByServer(wallet, queryClient);
        }),
      ];
      void reconnectWallet(wallet);
      return () => stops.forEach((stop) => stop());
    },
    async connect(type) {
      try {
        await wallet.connect(type);
      } catch (error) {
        sayFault(error);
      }
    },
    signIn: () => signIn(wallet),
    async disconnect() {
      const { type } = wallet.store.getState();
      isEnding = true;
      try {
        await wallet.disconnect();
      } catch (error) {
        toastError(error);
      }
      await logOut();
      forgetWallet();
      forgetAiKey();
      showSignedOut(queryClient);
      isEnding = false;
      if (type) sayDisconnected(type);
    },
  };
}
