import { useQueryClient } from "@tanstack/react-query";
import { isoNow } from "../../lib/iso-now.ts";
import { newId } from "../../lib/new-id.ts";
import { useOwner } from "../../lib/session.ts";
import { storedAiKey } from "../../lib/storage.ts";
import { toastError, toastProblem } from "../../lib/toast.ts";
import { keysOf } from "../../queries/keys.ts";
import { type Message, postMessage } from "../../queries/messages.ts";
import { useWallet } from "../../wallet/wallet.ts";
import { putInOutbox, takeFromOutbox } from "./outbox.ts";

interface SendDeps {
  readonly chatId: string;
  /** Makes a chat and shows it; answers its id. */
  readonly onNewChat: () => Promise<string>;
  readonly onApiKeyMissing: () => void;
}

/** Stores what the user wrote. `send` says whether the text was taken, so that the box can be emptied. */
export function useSendMessage({ chatId, onNewChat, onApiKeyMissing }: SendDeps) {
  const queryClient = useQueryClient();
  const address = useOwner();
  const isConnected = useWallet(({ status }) => status === "connected");

  async function deliver(target: string, outgoing: Message): Promise<void> {
    const { _id, type, content, timestamp } = outgoing;
    const message: Message = { _id, type, content, timestamp };
    putInOutbox(target, { ...message, status: "pending" });
    try {
      await postMessage(target, message);
      await queryClient.invalidateQueries({ queryKey: keysOf(address).messages(target) });
      takeFromOutbox(target, message._id);
    } catch (error) {
      putInOutbox(target, { ...message, status: "failed" });
      toastError(error);
    }
  }

  async function send(text: string): Promise<boolean> {
    const content = text.trim();
    if (content === "") return false;
    if (!isConnected) {
      toastProblem({
        title: "Wallet not connected",
        message: "Please connect your wallet to send messages",
      });
      return false;
    }
    if (storedAiKey.read() === null) {
      toastProblem({
        title: "API Key Required",
        message: "Please configure your API key in the sidebar settings.",
      });
      onApiKeyMissing();
      return false;
    }
    if (address === "") {
      toastProblem({
        title: "Authentication Required",
        message: "Please ensure your wallet is connected and try again.",
      });
      return false;
    }
    try {
      const target = chatId === "" ? await onNewChat() : chatId;
      const timestamp = isoNow();
      void deliver(target, { _id: newId(), type: "user", content, timestamp });
      return true;
    } catch (error) {
      toastError(error);
      return false;
    }
  }

  return { send, retry: (message: Message) => void deliver(chatId, message) };
}
