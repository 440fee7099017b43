import { useQueryClient } from "@tanstack/react-query";
import { useStore } from "zustand";
import type { ChatId } from "../../../domain/ids.ts";
import { cleanText } from "../../lib/clean-text.ts";
import { isoNow } from "../../lib/iso-now.ts";
import { newId } from "../../lib/new-id.ts";
import { useOwner } from "../../lib/session.ts";
import { toastError } from "../../lib/toast.ts";
import type { Message } from "../../queries/messages.ts";
import { useWallet } from "../../wallet/wallet.ts";
import { answers, stopAnswer } from "./live-answers.ts";
import { deliver, putInOutbox } from "./outbox.ts";
import { useShownMessages } from "./shown-messages.ts";
import { useMayAsk } from "./use-may-ask.ts";
import { useRemoveMessage } from "./use-remove-message.ts";

interface ConversationDeps {
  readonly chatId: ChatId | "";
  /** Creates and selects a chat; resolves to its id. */
  readonly onNewChat: () => Promise<ChatId>;
  readonly onApiKeyMissing: () => void;
}

/** Returns a chat's messages, stored, unsent and being written, with the user's actions. */
export function useConversation({ chatId, onNewChat, onApiKeyMissing }: ConversationDeps) {
  const queryClient = useQueryClient();
  const owner = useOwner();
  const isConnected = useWallet(({ status }) => status === "connected");
  const { read, messages } = useShownMessages(owner, chatId);
  const mayAsk = useMayAsk(onApiKeyMissing);
  const remove = useRemoveMessage(owner, chatId);
  // Subscribes to the id only; the answer's element follows the text
  const writtenId = useStore(
    answers,
    (all) => all.live.find((answer) => answer.chatId === chatId && answer.owner === owner)?.id,
  );
  const problem = useStore(answers, ({ problems }) => problems[chatId]);

  async function answer(target: ChatId | "", isContinued: boolean): Promise<void> {
    if (owner === "" || target === "") return;
    try {
      // The provider code is loaded on demand to keep the first load small
      const { answerQuestion } = await import("./answer-question.ts");
      await answerQuestion({ owner, chatId: target, isContinued, queryClient });
    } catch (error) {
      toastError(error);
    }
  }

  async function sendAndAnswer(target: ChatId | "", message: Message): Promise<void> {
    try {
      await deliver(message.id, queryClient);
    } catch {
      // The message shows the failure with Retry
      return;
    }
    if (message.type === "user") await answer(target, false);
  }

  /** Sends a text; resolves to whether it was accepted, so that the input can be cleared. */
  async function send(text: string): Promise<boolean> {
    const content = cleanText(text).trim();
    if (content === "" || !mayAsk() || owner === "") return false;
    try {
      const target = chatId === "" ? await onNewChat() : chatId;
      const message = { id: newId(), type: "user", content, at: isoNow() } as const;
      putInOutbox({ owner, chatId: target, status: "pending", message });
      void sendAndAnswer(target, message);
      return true;
    } catch (error) {
      toastError(error);
      return false;
    }
  }

  function ask(isContinued: boolean): void {
    if (mayAsk()) void answer(chatId, isContinued);
  }

  return {
    owner,
    read,
    messages,
    /** Id of the answer being written; undefined once it is a message. */
    liveId: messages.some(({ id }) => id === writtenId) ? undefined : writtenId,
    problem,
    isConnected,
    send,
    retry: (message: Message) => void sendAndAnswer(chatId, message),
    remove,
    /** Repeats the last question that got no answer. */
    askAgain: () => ask(false),
    continueAnswer: () => ask(true),
    stop: () => stopAnswer(chatId),
  };
}

export type Conversation = ReturnType<typeof useConversation>;
