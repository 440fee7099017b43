import { shortenAddress } from "../lib/format.ts";
import { toastProblem } from "../lib/toast.ts";
import type { WalletSession } from "../wallet/wallet-session.ts";
import type { WalletType } from "../wallet/wallet-state.ts";
import type { SessionController } from "./session-controller.ts";
import type { SignedInWallet } from "../lib/session.ts";

/** Open form and the wallet it was opened with. */
export interface FormOwner {
  /** Wallet address; empty when nobody was signed in. */
  readonly address: SignedInWallet;
  readonly walletType: WalletType | null;
}

/** Signs the open form's owner in after the session ended; resolves to whether it worked. Other wallets are refused. */
export async function signInAgain(
  controller: Pick<SessionController, "connect" | "signIn">,
  { store }: Pick<WalletSession, "store">,
  owner: FormOwner,
): Promise<boolean> {
  if (store.getState().status !== "connected" && owner.walletType !== null) {
    await controller.connect(owner.walletType);
  }
  const { address } = store.getState();
  if (address !== "" && owner.address !== "" && address !== owner.address) {
    toastProblem({
      title: "Another wallet is connected",
      message: `This form belongs to ${shortenAddress(owner.address)}. Switch your wallet back to save it.`,
    });
    return false;
  }
  return controller.signIn();
}
