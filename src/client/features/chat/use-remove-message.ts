import { useQueryClient } from "@tanstack/react-query";
import type { ChatId } from "../../../domain/ids.ts";
import { isApiError } from "../../lib/problem.ts";
import { changeMessages, messagesQuery, removeMessage } from "../../queries/messages.ts";
import { takeFromOutbox } from "./outbox.ts";
import type { ShownMessage } from "./shown-messages.ts";
import type { SignedInWallet } from "../../lib/session.ts";

/** Returns the function that deletes a message, stored or unsent. It rethrows a failed call. */
export function useRemoveMessage(owner: SignedInWallet, chatId: ChatId | "") {
  const queryClient = useQueryClient();
  return async ({ id, status }: ShownMessage): Promise<void> => {
    if (status !== "sent") {
      takeFromOutbox(id);
      return;
    }
    try {
      await removeMessage(chatId, id);
    } catch (error) {
      // Another tab has already deleted it
      if (!isApiError(error, "not_found")) throw error;
    }
    await changeMessages(queryClient, messagesQuery(owner, chatId), (messages) =>
      messages.filter((message) => message.id !== id),
    );
  };
}
