import type { QueryClient } from "@tanstack/react-query";
import { logout } from "../../../contract/auth.ts";
import { call } from "../../lib/api.ts";
import { session } from "../../lib/session.ts";
import { storedToken, storedWallet, storedWalletDisplay } from "../../lib/storage.ts";
import { closeDialog } from "../dialogs.ts";

/** Deployment and candles are the same for everybody and stay. */
const isOfWallet = ({ queryKey }: { readonly queryKey: readonly unknown[] }) =>
  queryKey[0] !== "deployment" && queryKey[0] !== "candles";

/** Shows nobody's data any more; dialogs close with it. */
export function showSignedOut(queryClient: QueryClient, closeDialogs = closeDialog): void {
  session.setState({ status: "signed-out", address: "" });
  closeDialogs();
  void queryClient.cancelQueries({ predicate: isOfWallet });
  queryClient.removeQueries({ predicate: isOfWallet });
}

/** Forgets which wallet was connected, so that the next visit connects none. */
export function forgetWallet(): void {
  storedWallet.remove();
  storedWalletDisplay.remove();
}

/** Ends the stored session. Whatever the server says, this browser forgets the token. */
export async function logOut(): Promise<void> {
  if (storedToken.read() !== null) await call(logout).catch(() => {});
  storedToken.remove();
}
