import { parseOwner } from "../../../domain/ids.ts";
import { refreshSession } from "../../lib/api.ts";
import { session } from "../../lib/session.ts";
import { storedToken, storedWallet } from "../../lib/storage.ts";
import { isTokenFresh, isTokenOf } from "../../lib/token.ts";
import { wait } from "../../lib/wait.ts";
import type { WalletSession } from "../../wallet/wallet-session.ts";
import type { WalletType } from "../../wallet/wallet-state.ts";
import { LATE_WALLET_MS, RECONNECT_MS, START_UP_MS } from "./session-waits.ts";

/** Restores the stored session of the connected wallet if one exists. Never prompts. */
export async function restoreSession(wallet: WalletSession, address: string): Promise<void> {
  session.setState({ status: "restoring", address: "" });
  const isMine = () => isTokenOf(storedToken.read(), address);
  const isFresh = () => isTokenFresh(storedToken.read());
  const hasSession =
    isMine() && (isFresh() || ((await refreshSession().catch(() => false)) && isMine()));
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
    const timer = setTimeout(() => finish(false), LATE_WALLET_MS);
    const stop = store.subscribe(() => {
      if (isThere()) finish(true);
    });
  });
}

/** Reconnects the wallet of the last visit without a prompt, once it has registered. */
export async function reconnectWallet(wallet: WalletSession): Promise<void> {
  const stored = storedWallet.read();
  const type = stored?.walletType;
  if (type !== "phantom" && type !== "practice") return;
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
