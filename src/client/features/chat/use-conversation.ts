import { useQueryClient } from "@tanstack/react-query";
import { useStore } from "zustand";
import type { ChatId } from "../../../domain/ids.ts";
import { cleanText } from "../../lib/clean-text.ts";
import { isoNow } from "../../lib/clock.ts";
import { newId } from "../../lib/new-id.ts";
import { useOwner } from "../../lib/session.ts";
import { toastError, toastProblem } from "../../lib/toast.ts";
import type { Message } from "../../../contract/chats.ts";
import { deleteMessage } from "../../../contract/chats.ts";
import { call } from "../../lib/api.ts";
import { changeMessages, messagesQuery } from "../../queries/messages.ts";
import { answers, forgetProblem, stopAnswer } from "./assistant/live-answers.ts";
import { plainAnswerOf } from "./assistant/plain-answer.ts";
import { deliver, putInOutbox, takeFromOutbox } from "./outbox.ts";
import { keepImage, WITH_PICTURE } from "./question-images.tsx";
import { useShownMessages, type ShownMessage } from "./shown-messages.ts";
import { readAiKey } from "../../lib/ai/ai-key.ts";
import { readAiChoice } from "../../lib/ai/ai-settings.ts";
import { openDialog } from "../../lib/dialogs.ts";
import { isApiError } from "../../lib/problem.ts";
import { useWallet } from "../../wallet/wallet.ts";

/** Most messages that an edited question replaces; an older one is asked anew at the end. */
const MOST_REPLACED = 20;

/** What the user asks. */
export interface Question {
  readonly text: string;
  /** Picture as a data URL. */
  readonly image?: string | undefined;
  /** Id of the question that this one is edited from. */
  readonly replaces?: string | undefined;
}

interface ConversationDeps {
  readonly chatId: ChatId | "";
  /** Creates and selects a chat; resolves to its id. */
  readonly onNewChat: () => Promise<ChatId>;
}

/** Returns a chat's messages, stored, unsent and being written, with the user's actions. */
export function useConversation({ chatId, onNewChat }: ConversationDeps) {
  const queryClient = useQueryClient();
  const owner = useOwner();
  const isConnected = useWallet(({ status }) => status === "connected");
  const { read, messages } = useShownMessages(chatId);
  const mayAsk = useMayAsk();
  const remove = useRemoveMessage(chatId);
  // Subscribes to the id only; the answer's element follows the text
  const writtenId = useStore(
    answers,
    (all) => all.live.find((answer) => answer.chatId === chatId && answer.owner === owner)?.id,
  );

  async function answer(
    target: ChatId | "",
    messageId: string,
    isContinued: boolean,
  ): Promise<void> {
    if (owner === "" || target === "") return;
    try {
      // The provider code is loaded on demand to keep the first load small
      const { answerQuestion } = await import("./assistant/answer-question.ts");
      await answerQuestion({ owner, chatId: target, messageId, isContinued, queryClient });
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
    if (message.type === "user") await answer(target, message.id, false);
  }

  /** Sends a question; resolves to whether it was accepted, so that the input can be cleared. */
  async function send({ text, image, replaces }: Question): Promise<boolean> {
    const typed = cleanText(text).trim();
    if (typed === "" || !mayAsk(typed) || owner === "") return false;
    const content = image === undefined ? typed : `${typed}\n\n${WITH_PICTURE}`;
    try {
      await removeFrom(replaces);
      const target = chatId === "" ? await onNewChat() : chatId;
      const message = { id: newId(), type: "user", content, at: isoNow() } as const;
      if (image !== undefined) keepImage(message.id, image);
      putInOutbox({ owner, chatId: target, status: "pending", message });
      void sendAndAnswer(target, message);
      return true;
    } catch (error) {
      toastError(error);
      return false;
    }
  }

  /** Deletes a question that was edited and what came after it, the newest first. */
  async function removeFrom(id: string | undefined): Promise<void> {
    const from = messages.findIndex((message) => message.id === id);
    if (from < 0 || messages.length - from > MOST_REPLACED) return;
    for (const message of messages.slice(from).toReversed()) await remove(message);
  }

  function ask(isContinued: boolean): void {
    const asked = messages.findLast(({ type }) => type === "user")?.content ?? "";
    const last = messages.at(-1);
    if (last !== undefined && mayAsk(asked)) void answer(chatId, last.id, isContinued);
  }

  return {
    owner,
    read,
    messages,
    /** Id of the answer being written; undefined once it is a message. */
    liveId: messages.some(({ id }) => id === writtenId) ? undefined : writtenId,
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

/**
 * Returns the function that tells the user what keeps a question from being asked; true when nothing does. Without a
 * model's key a question may be asked that reads alone answer.
 */
function useMayAsk(): (question: string) => boolean {
  const owner = useOwner();
  const isConnected = useWallet(({ status }) => status === "connected");
  return (question) => {
    if (!isConnected) {
      toastProblem({
        title: "Wallet not connected",
        message: "Please connect your wallet to send messages",
      });
    } else if (readAiKey(readAiChoice()) === null && plainAnswerOf(question) === null) {
      openDialog({ kind: "api-key" });
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

/** Returns the function that deletes a message, stored or unsent. It rethrows a failed call. */
function useRemoveMessage(chatId: ChatId | "") {
  const owner = useOwner();
  const queryClient = useQueryClient();
  return async ({ id, status }: ShownMessage): Promise<void> => {
    forgetProblem(id);
    if (status !== "sent" || chatId === "") {
      takeFromOutbox(id);
      return;
    }
    try {
      await call(deleteMessage, { params: { chatId, messageId: id } });
    } catch (error) {
      // Another tab has already deleted it
      if (!isApiError(error, "not_found")) throw error;
    }
    await changeMessages(queryClient, messagesQuery(owner, chatId), (messages) =>
      messages.filter((message) => message.id !== id),
    );
  };
}
