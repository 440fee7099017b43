import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { useStore } from "zustand";
import { readAiKey } from "../../lib/ai/ai-key.ts";
import { cleanText } from "../../lib/clean-text.ts";
import { isoNow } from "../../lib/iso-now.ts";
import { newId } from "../../lib/new-id.ts";
import { isApiError } from "../../lib/problem.ts";
import { useOwner } from "../../lib/session.ts";
import { toastError, toastProblem } from "../../lib/toast.ts";
import { keysOf } from "../../queries/keys.ts";
import { type Message, messagesQuery, removeMessage } from "../../queries/messages.ts";
import { useWallet } from "../../wallet/wallet.ts";
import { answers, stopAnswer } from "./live-answers.ts";
import { deliver, outbox, putInOutbox, takeFromOutbox } from "./outbox.ts";

export interface ShownMessage extends Message {
  readonly status: "pending" | "sent" | "failed";
}

interface ConversationDeps {
  readonly chatId: string;
  /** Creates and selects a chat; resolves to its id. */
  readonly onNewChat: () => Promise<string>;
  readonly onApiKeyMissing: () => void;
}

/** Returns a chat's messages, stored, unsent and being written, with the user's actions. */
export function useConversation({ chatId, onNewChat, onApiKeyMissing }: ConversationDeps) {
  const queryClient = useQueryClient();
  const owner = useOwner();
  const isConnected = useWallet(({ status }) => status === "connected");
  const read = useQuery(messagesQuery(owner, chatId));
  const waiting = useStore(outbox, ({ entries }) => entries);
  // Subscribes to the id only; the answer's element follows the text
  const writtenId = useStore(
    answers,
    (all) => all.live.find((answer) => answer.chatId === chatId && answer.owner === owner)?.id,
  );
  const problem = useStore(answers, ({ problems }) => problems[chatId]);

  const messages = useMemo((): readonly ShownMessage[] => {
    const stored = owner === "" ? [] : (read.data ?? []);
    const ids = new Set(stored.map(({ id }) => id));
    return [
      ...stored.map((message) => ({ ...message, status: "sent" as const })),
      ...waiting
        .filter(
          (each) => each.chatId === chatId && each.owner === owner && !ids.has(each.message.id),
        )
        .map(({ message, status }) => ({ ...message, status })),
    ];
  }, [owner, chatId, read.data, waiting]);

  async function answer(target: string, isContinued: boolean): Promise<void> {
    try {
      // The provider code is loaded on demand to keep the first load small
      const { answerQuestion } = await import("./answer-question.ts");
      await answerQuestion({ owner, chatId: target, isContinued, queryClient });
    } catch (error) {
      toastError(error);
    }
  }

  async function sendAndAnswer(target: string, message: Message): Promise<void> {
    try {
      await deliver(message.id, queryClient);
    } catch {
      // The message shows the failure with Retry
      return;
    }
    if (message.type === "user") await answer(target, false);
  }

  function findObstacle(): { readonly title: string; readonly message: string } | null {
    if (!isConnected) {
      return {
        title: "Wallet not connected",
        message: "Please connect your wallet to send messages",
      };
    }
    if (readAiKey() === null) {
      onApiKeyMissing();
      return {
        title: "API Key Required",
        message: "Please configure your API key in the sidebar settings.",
      };
    }
    if (owner === "") {
      return {
        title: "Authentication Required",
        message: "Please ensure your wallet is connected and try again.",
      };
    }
    return null;
  }

  /** Sends a text; resolves to whether it was accepted, so that the input can be cleared. */
  async function send(text: string): Promise<boolean> {
    const content = cleanText(text).trim();
    if (content === "") return false;
    const obstacle = findObstacle();
    if (obstacle) {
      toastProblem(obstacle);
      return false;
    }
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

  /** Deletes a message, stored or unsent. Rethrows a failed call. */
  async function remove({ id, status }: ShownMessage): Promise<void> {
    if (status !== "sent") {
      takeFromOutbox(id);
      return;
    }
    const queryKey = keysOf(owner).messages(chatId);
    try {
      await removeMessage(chatId, id);
    } catch (error) {
      // Another tab has already deleted it
      if (!isApiError(error, "not_found")) throw error;
    }
    await queryClient.cancelQueries({ queryKey });
    queryClient.setQueryData<Message[]>(queryKey, (shown) =>
      shown?.filter((message) => message.id !== id),
    );
    void queryClient.invalidateQueries({ queryKey });
  }

  function ask(isContinued: boolean): void {
    const obstacle = findObstacle();
    if (obstacle) toastProblem(obstacle);
    else void answer(chatId, isContinued);
  }

  return {
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
