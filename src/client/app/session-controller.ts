import type { QueryClient } from "@tanstack/react-query";
import { logout } from "../../contract/auth.ts";
import { authenticate } from "../features/sign-in/authenticate.ts";
import { call, onConfirmation, onSignedOut, refreshSession } from "../lib/api.ts";
import { encodeBase58 } from "../lib/base58.ts";
import { shortenAddress } from "../lib/format.ts";
import { session } from "../lib/session.ts";
import { forgetAiKey } from "../lib/ai/ai-key.ts";
import { storedToken, storedWallet, storedWalletDisplay } from "../lib/storage.ts";
import { describeProblem } from "../lib/problem.ts";
import { toastDone, toastError, toastFault, toastNote, toastProblem } from "../lib/toast.ts";
import { isTokenFresh, isTokenOf } from "../lib/token.ts";
import { wait } from "../lib/wait.ts";
import { ensureConnected } from "../wallet/ensure-connected.ts";
import { isRefusal } from "../wallet/wallet-error.ts";
import type { WalletSession } from "../wallet/wallet-session.ts";
import { WALLET_SHORT_NAMES, type WalletEvent, type WalletType } from "../wallet/wallet-state.ts";
import { closeAllButForm, closeDialog } from "./dialogs.ts";

/** Waits of the wallet's life. Spec: workspace §4 */
export const START_UP_MS = 500;
export const RECONNECT_MS = 500;
export const AFTER_CONNECT_MS = 1000;
export const AFTER_ACCOUNT_CHANGE_MS = 500;
/** How long a stored wallet may take to register before the user has to connect by hand. */
const LATE_WALLET_MS = 3000;

export interface SessionController {
  /** Reconnects silently and follows the wallet; returns how to stop. */
  start(): () => void;
  connect(type: WalletType): Promise<void>;
  /** Asks the wallet to sign once. Says whether it worked. */
  signIn(): Promise<boolean>;
  disconnect(): Promise<void>;
}

/** Deployment and candles are the same for everybody and stay. */
const isOfWallet = ({ queryKey }: { readonly queryKey: readonly unknown[] }) =>
  queryKey[0] !== "deployment" && queryKey[0] !== "candles";

/** Saying no in the wallet is an answer, not a fault: it is told and goes by itself. */
function tell(error: unknown): void {
  if (isRefusal(error)) toastFault(describeProblem(error));
  else toastError(error);
}

/** Ties wallet, token and cache together: whose data is on screen is always the connected wallet's. */
export function createSessionController(
  wallet: WalletSession,
  queryClient: QueryClient,
): SessionController {
  let isEnding = false;

  function clearData(): void {
    void queryClient.cancelQueries({ predicate: isOfWallet });
    queryClient.removeQueries({ predicate: isOfWallet });
  }

  function signedOut(closeDialogs = closeDialog): void {
    session.setState({ status: "signed-out", address: "" });
    closeDialogs();
    clearData();
  }

  function forgetWallet(): void {
    storedWallet.remove();
    storedWalletDisplay.remove();
  }

  async function logOut(): Promise<void> {
    // Whatever the server says, this browser forgets the token
    if (storedToken.read() !== null) await call(logout).catch(() => {});
    storedToken.remove();
  }

  /** Takes up the stored session of the connected wallet, if there is one. Never prompts. */
  async function restore(address: string): Promise<void> {
    session.setState({ status: "restoring", address: "" });
    const isMine = () => isTokenOf(storedToken.read(), address);
    const isFresh = () => isTokenFresh(storedToken.read());
    const hasSession =
      isMine() && (isFresh() || ((await refreshSession().catch(() => false)) && isMine()));
    if (wallet.store.getState().address !== address) return;
    session.setState(
      hasSession ? { status: "signed-in", address } : { status: "signed-out", address: "" },
    );
  }

  async function onWallet(event: WalletEvent): Promise<void> {
    if (event.kind === "dropped") {
      signedOut();
      forgetWallet();
      sayDisconnected(event.type);
      await logOut();
      return;
    }
    const { address, type } = event;
    storedWallet.write({ walletType: type, walletAddress: address });
    storedWalletDisplay.write(shortenAddress(address));
    if (event.kind === "account-changed") {
      signedOut();
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
    if (wallet.store.getState().address === address) await restore(address);
  }

  async function waitForWallet(type: WalletType): Promise<boolean> {
    const isThere = () => wallet.store.getState().available.includes(type);
    if (isThere()) return true;
    return new Promise((resolve) => {
      const finish = (found: boolean) => {
        clearTimeout(timer);
        stop();
        resolve(found);
      };
      const timer = setTimeout(() => finish(false), LATE_WALLET_MS);
      const stop = wallet.store.subscribe(() => {
        if (isThere()) finish(true);
      });
    });
  }

  async function reconnect(): Promise<void> {
    const stored = storedWallet.read();
    const type = stored?.walletType;
    if (type !== "phantom" && type !== "practice") return;
    session.setState({ status: "restoring" });
    await wait(START_UP_MS);
    const isThere = await waitForWallet(type);
    if (isThere) await wait(RECONNECT_MS);
    const isIdle = wallet.store.getState().status === "disconnected";
    const address = isThere && isIdle ? await wallet.connectSilently(type) : null;
    if (address === null && session.getState().status === "restoring") {
      session.setState({ status: "signed-out" });
    }
  }

  async function disconnect(): Promise<void> {
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
    signedOut();
    isEnding = false;
    if (type) sayDisconnected(type);
  }

  return {
    start() {
      onConfirmation(async (message) => {
        await ensureConnected(wallet);
        return encodeBase58(await wallet.signMessage(message));
      });
      const stops = [
        wallet.start(),
        wallet.onEvent((event) => void onWallet(event)),
        onSignedOut(() => {
          if (isEnding || session.getState().status === "signed-out") return;
          signedOut(closeAllButForm);
          forgetWallet();
          toastProblem({
            title: "Authentication failed",
            message: "Your session has ended. Connect your wallet and sign in again.",
          });
          void wallet.disconnect().catch(() => {});
        }),
      ];
      void reconnect();
      return () => stops.forEach((stop) => stop());
    },
    async connect(type) {
      try {
        await wallet.connect(type);
      } catch (error) {
        tell(error);
      }
    },
    async signIn() {
      const { address } = wallet.store.getState();
      if (address === "" || session.getState().status === "signing-in") return false;
      session.setState({ status: "signing-in" });
      try {
        const token = await authenticate(address, wallet.signMessage);
        if (wallet.store.getState().address !== address) return false;
        storedToken.write(token);
        session.setState({ status: "signed-in", address });
        return true;
      } catch (error) {
        session.setState({ status: "signed-out", address: "" });
        tell(error);
        return false;
      }
    },
    disconnect,
  };
}

function sayConnected(type: WalletType): void {
  toastDone({
    title: "Wallet connected",
    message: `Your ${WALLET_SHORT_NAMES[type]} wallet has been connected successfully. You can now access your chats.`,
  });
}

function sayDisconnected(type: WalletType): void {
  toastNote({
    title: "Wallet disconnected",
    message: `Your ${WALLET_SHORT_NAMES[type]} wallet has been disconnected. Connect a different wallet to access its chats.`,
  });
}
