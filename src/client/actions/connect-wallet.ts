import { WALLET_NAMES, type WalletType } from "../wallet/wallet-state.ts";
import type { Action } from "./action.ts";

/** Connects one kind of wallet that is installed in this browser. */
export const connectWallet = (type: WalletType): Action => ({
  label: `Connect ${WALLET_NAMES[type]}`,
  group: "Actions",
  when: ({ wallet }) => wallet.status === "disconnected" && wallet.available.includes(type),
  perform: ({ controller }) => void controller.connectAndSignIn(type),
});
