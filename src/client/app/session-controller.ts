import type { QueryClient } from "@tanstack/react-query";
import { logout } from "../../contract/auth.ts";
import { parseOwner } from "../../domain/ids.ts";
import { authenticate, type SignInProof } from "../features/account/authenticate.ts";
import { call, onConfirmation, onSignedOut, refreshSession } from "../lib/api.ts";
import { encodeBase58 } from "../../domain/base58.ts";
import { clock, wait } from "../lib/clock.ts";
import { closeAllButForm, closeDialog } from "../lib/dialogs.ts";
import { shortenAddress } from "../lib/format.ts";
import { describeProblem } from "../lib/problem.ts";
import { session, isTokenOf, isTokenValid } from "../lib/session.ts";
import { forgetAiKeys, storedToken, storedWallet, storedWalletDisplay } from "../lib/stored.ts";
import { toastDone, toastError, toastFault, toastNote, toastProblem } from "../lib/toast.ts";
import { PUBLIC } from "../queries/read.ts";
import { ensureConnected } from "../wallet/ensure-connected.ts";
import { isRefusal, WalletError } from "../wallet/wallet-error.ts";
import type { WalletSession } from "../wallet/wallet-session.ts";
import {
  isWalletType,
  WALLET_SHORT_NAMES,
  type WalletEvent,
  type WalletType,
} from "../wallet/wallet-state.ts";

/** Delay at start that gives wallets time to register, in milliseconds. */
export const START_UP_MS = 500;
export const RECONNECT_MS = 500;
export const AFTER_CONNECT_MS = 1000;
export const AFTER_ACCOUNT_CHANGE_MS = 500;
/**
 * Longest wait for a stored wallet to register, in milliseconds; after that the user connects by hand. The page itself
 * brings the practice wallet, which takes as long as its connection and a busy machine let it.
 */
const LATE_WALLET_MS = { phantom: 3_000, practice: 30_000, solflare: 3_000 } as const;

/** Keeps wallet, token and query cache consistent: the data shown always belongs to the connected wallet. */
export function createSessionController(wallet: WalletSession, queryClient: QueryClient) {
  let isEnding = false;
  async function connect(type: WalletType): Promise<void> {
    try {
      await wallet.connect(type);
    } catch (error) {
      sayFault(error);
    }
  }
  return {
    /** Reconnects without a prompt and subscribes to the wallet; returns a function that stops it. */
    start() {
      onConfirmation(async (message) => {
        await ensureConnected(wallet);
        return signatureOf(wallet, message, wallet.store.getState().address);
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
    connect,
    /** Connects a wallet and, where it has no session yet, signs in without another click. */
    async connectAndSignIn(type: WalletType): Promise<void> {
      await connect(type);
      await wait(AFTER_CONNECT_MS);
      const isConnected = wallet.store.getState().status === "connected";
      if (isConnected && storedToken.read() === null) await signIn(wallet);
    },
    /** Requests one signature from the wallet; resolves to whether signing in succeeded. */
    signIn: () => signIn(wallet),
    async disconnect(): Promise<void> {
      const { type } = wallet.store.getState();
      isEnding = true;
      try {
        await wallet.disconnect();
      } catch (error) {
        toastError(error);
      }
      await logOut();
      forgetWallet();
      forgetAiKeys();
      showSignedOut(queryClient);
      isEnding = false;
      if (type) sayDisconnected(type);
    },
  };
}

export type SessionController = ReturnType<typeof createSessionController>;

async function signIn(
  wallet: WalletSession,
  prove: typeof proveByTransaction = proveByMessage,
): Promise<boolean> {
  const { address } = wallet.store.getState();
  if (address === "" || session.getState().status === "signing-in") return false;
  session.setState({ status: "signing-in" });
  try {
    const token = await authenticate(address, (text) => prove(wallet, text, address));
    if (wallet.store.getState().address !== address) return false;
    storedToken.write(token);
    session.setState({ status: "signed-in", address: parseOwner(address) });
    return true;
  } catch (error) {
    session.setState({ status: "signed-out", address: "" });
    const isOtherWayLeft = error instanceof WalletError && error.kind === "sign-message";
    const byTransaction = {
      label: "Sign in with a transaction",
      run: () => void signIn(wallet, proveByTransaction),
    };
    sayFault(error, isOtherWayLeft ? { actions: [byTransaction] } : {});
    return false;
  }
}

const proveByMessage = async (
  wallet: WalletSession,
  text: string,
  address: string,
): Promise<SignInProof> => ({ signature: await signatureOf(wallet, text, address) });

const loadSignedText = () => import("../custody/check/signed-text.ts");

/** Returns the wallet's signature of a text in base58; what checks an envelope around it is loaded for one alone. */
async function signatureOf(wallet: WalletSession, text: string, address: string): Promise<string> {
  const answer = await wallet.signMessage(text);
  const isPlain = new TextDecoder().decode(answer.signedMessage) === text;
  const asked = { text, address, host: location.host };
  return encodeBase58(
    isPlain ? answer.signature : (await loadSignedText()).signatureIn(answer, asked),
  );
}

const proveByTransaction = async (
  wallet: WalletSession,
  text: string,
  address: string,
): Promise<SignInProof> => (await loadSignedText()).signTransactionWith(wallet, text, address);

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

/** Handles events of the wallet itself, such as an account change, so that the data shown belongs to it. */
async function followWallet(
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

/** Restores the stored session of the connected wallet if one exists. Never prompts. */
async function restoreSession(wallet: WalletSession, address: string): Promise<void> {
  session.setState({ status: "restoring", address: "" });
  const isMine = () => isTokenOf(storedToken.read(), address);
  const hasSession =
    isMine() &&
    (isTokenValid(storedToken.read(), clock.now()) ||
      ((await refreshSession().catch(() => false)) && isMine()));
  if (wallet.store.getState().address !== address) return;
  session.setState(
    hasSession
      ? { status: "signed-in", address: parseOwner(address) }
      : { status: "signed-out", address: "" },
  );
}

async function waitForWallet({ store }: WalletSession, type: WalletType): Promise<boolean> {
  const isThere = () => store.getState().available.includes(type);
  if (isThere()) return true;
  return new Promise((resolve) => {
    const finish = (found: boolean) => {
      clearTimeout(timer);
      stop();
      resolve(found);
    };
    const timer = setTimeout(() => finish(false), LATE_WALLET_MS[type]);
    const stop = store.subscribe(() => {
      if (isThere()) finish(true);
    });
  });
}

/** Reconnects the wallet of the last visit without a prompt, once it has registered. */
async function reconnectWallet(wallet: WalletSession): Promise<void> {
  const stored = storedWallet.read();
  const type = stored?.walletType;
  if (type === undefined || !isWalletType(type)) return;
  session.setState({ status: "restoring" });
  await wait(START_UP_MS);
  const isThere = await waitForWallet(wallet, type);
  if (isThere) await wait(RECONNECT_MS);
  const isIdle = wallet.store.getState().status === "disconnected";
  const address = isThere && isIdle ? await wallet.connectSilently(type) : null;
  if (address === null && session.getState().status === "restoring") {
    session.setState({ status: "signed-out" });
  }
}

/** Returns whether a query belongs to a wallet; what is the same for everybody stays cached. */
const isOfWallet = ({ queryKey }: { readonly queryKey: readonly unknown[] }) =>
  queryKey[0] !== PUBLIC;

/** Sets the signed-out state, closes dialogs and removes the wallet's queries from the cache. */
function showSignedOut(queryClient: QueryClient, closeDialogs = closeDialog): void {
  session.setState({ status: "signed-out", address: "" });
  closeDialogs();
  void queryClient.cancelQueries({ predicate: isOfWallet });
  queryClient.removeQueries({ predicate: isOfWallet });
}

/** Deletes the stored wallet, so that the next visit does not reconnect. */
function forgetWallet(): void {
  storedWallet.remove();
  storedWalletDisplay.remove();
}

/** Ends the session at the server; the token is deleted from this browser even when that call fails. */
async function logOut(): Promise<void> {
  if (storedToken.read() !== null) await call(logout).catch(() => {});
  storedToken.remove();
}

/** Shows an error as a toast. A refusal in the wallet is a normal answer: its toast closes by itself. */
function sayFault(error: unknown, how: Parameters<typeof toastFault>[1] = {}): void {
  (isRefusal(error) ? toastFault : toastProblem)(describeProblem(error), how);
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
