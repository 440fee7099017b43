import type { QueryClient } from "@tanstack/react-query";
import { logout } from "../../../contract/auth.ts";
import { call } from "../../lib/api.ts";
import { session } from "../../lib/session.ts";
import { storedToken, storedWallet, storedWalletDisplay } from "../../lib/storage.ts";
import { closeDialog } from "../../lib/dialogs.ts";
import { PUBLIC } from "../../queries/read.ts";

/** Returns whether a query belongs to a wallet; what is the same for everybody stays cached. */
const isOfWallet = ({ queryKey }: { readonly queryKey: readonly unknown[] }) =>
  queryKey[0] !== PUBLIC;

/** Sets the signed-out state, closes dialogs and removes the wallet's queries from the cache. */
export function showSignedOut(queryClient: QueryClient, closeDialogs = closeDialog): void {
  session.setState({ status: "signed-out", address: "" });
  closeDialogs();
  void queryClient.cancelQueries({ predicate: isOfWallet });
  queryClient.removeQueries({ predicate: isOfWallet });
}

/** Deletes the stored wallet, so that the next visit does not reconnect. */
export function forgetWallet(): void {
  storedWallet.remove();
  storedWalletDisplay.remove();
}

/** Ends the session at the server; the token is deleted from this browser even when that call fails. */
export async function logOut(): Promise<void> {
  if (storedToken.read() !== null) await call(logout).catch(() => {});
  storedToken.remove();
}
