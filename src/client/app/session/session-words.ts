import { describeProblem } from "../../lib/problem.ts";
import { toastDone, toastError, toastFault, toastNote } from "../../lib/toast.ts";
import { isRefusal } from "../../wallet/wallet-error.ts";
import { WALLET_SHORT_NAMES, type WalletType } from "../../wallet/wallet-state.ts";

/** Shows an error as a toast. A refusal in the wallet is a normal answer: its toast closes by itself. */
export function sayFault(error: unknown): void {
  if (isRefusal(error)) toastFault(describeProblem(error));
  else toastError(error);
}

export function sayConnected(type: WalletType): void {
  toastDone({
    title: "Wallet connected",
    message: `Your ${WALLET_SHORT_NAMES[type]} wallet has been connected successfully. You can now access your chats.`,
  });
}

export function sayDisconnected(type: WalletType): void {
  toastNote({
    title: "Wallet disconnected",
    message: `Your ${WALLET_SHORT_NAMES[type]} wallet has been disconnected. Connect a different wallet to access its chats.`,
  });
}
