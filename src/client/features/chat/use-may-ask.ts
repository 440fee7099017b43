import { readAiKey } from "../../lib/ai/ai-key.ts";
import { useOwner } from "../../lib/session.ts";
import { toastProblem } from "../../lib/toast.ts";
import { useWallet } from "../../wallet/wallet.ts";

/** Returns the function that tells the user what keeps a question from being asked; true when nothing does. */
export function useMayAsk(onApiKeyMissing: () => void): () => boolean {
  const owner = useOwner();
  const isConnected = useWallet(({ status }) => status === "connected");
  return () => {
    if (!isConnected) {
      toastProblem({
        title: "Wallet not connected",
        message: "Please connect your wallet to send messages",
      });
    } else if (readAiKey() === null) {
      onApiKeyMissing();
      toastProblem({
        title: "API Key Required",
        message: "Please configure your API key in the sidebar settings.",
      });
    } else if (owner === "") {
      toastProblem({
        title: "Authentication Required",
        message: "Please ensure your wallet is connected and try again.",
      });
    } else return true;
    return false;
  };
}
