import { useMemo } from "react";
import { WALLET_NAMES } from "../wallet/wallet-state.ts";
import { useWallet, wallet } from "../wallet/wallet.ts";
import type { ApprovalWallet } from "./page-ports.ts";

/** The connected wallet as an approval uses it. */
export function useApprovalWallet(): ApprovalWallet {
  const type = useWallet((state) => state.type);
  return useMemo(
    () => ({
      name: type === null ? "your wallet" : WALLET_NAMES[type],
      transactionVersions: wallet.transactionVersions,
      signTransaction: wallet.signTransaction,
      signAndSendTransaction: wallet.signAndSendTransaction,
    }),
    [type],
  );
}
