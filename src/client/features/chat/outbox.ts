import type { QueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import { createStore } from "zustand/vanilla";
import { message as messageSchema } from "../../../contract/chats.ts";
import { withLock } from "../../lib/locks.ts";
import { isApiError, isNetworkError } from "../../lib/problem.ts";
import { storedValue } from "../../lib/stored.ts";
import { keysOf } from "../../queries/keys.ts";
import { type Message, postMessage } from "../../queries/messages.ts";

const entry = z.object({
  owner: z.string(),
  chatId: z.string(),
  message: messageSchema,
  status: z.enum(["pending", "failed"]),
});

/** A message the server has not confirmed yet. */
export type OutgoingMessage = z.infer<typeof entry>;

const OUTBOX_KEY = "chat-outbox";
const storedOutbox = storedValue(OUTBOX_KEY, 1, z.array(entry));

interface Outbox {
  readonly entries: readonly OutgoingMessage[];
}

/** What waits to be stored, the same in every tab and over reloads. */
export const outbox = createStore<Outbox>(() => ({ entries: storedOutbox.read() ?? [] }));

/** Takes over what other tabs, or this one before a reload, left in storage. */
function reload(): void {
  outbox.setState({ entries: storedOutbox.read() ?? [] });
}

globalThis.addEventListener?.("storage", ({ key }) => {
  if (key === OUTBOX_KEY || key === null) reload();
});

function change(next: (entries: readonly OutgoingMessage[]) => readonly OutgoingMessage[]): void {
  const entries = [...next(storedOutbox.read() ?? [])];
  if (entries.length === 0) storedOutbox.remove();
  else storedOutbox.write(entries);
  outbox.setState({ entries });
}

export function putInOutbox(outgoing: OutgoingMessage): void {
  change((entries) => [
    ...entries.filter(({ message }) => message._id !== outgoing.message._id),
    outgoing,
  ]);
}

export function takeFromOutbox(messageId: string): void {
  change((entries) => entries.filter(({ message }) => message._id !== messageId));
}

/**
 * Stores one waiting message, unless another tab already did. Its id stays the same over every try, so the server
 * keeps it once. Throws what the call throws; the message is then marked failed.
 */
export function deliver(messageId: string, queryClient: QueryClient): Promise<void> {
  return withLock("wheelhouse-outbox", async () => {
    reload();
    const found = outbox.getState().entries.find(({ message }) => message._id === messageId);
    if (!found) return;
    putInOutbox({ ...found, status: "pending" });
    try {
      const stored = await postMessage(found.chatId, found.message);
      const queryKey = keysOf(found.owner).messages(found.chatId);
      await queryClient.cancelQueries({ queryKey });
      queryClient.setQueryData<Message[]>(queryKey, (messages) =>
        messages && !messages.some(({ _id }) => _id === stored._id)
          ? [...messages, stored]
          : messages,
      );
      takeFromOutbox(messageId);
      void queryClient.invalidateQueries({ queryKey });
    } catch (error) {
      // The chat was deleted: nobody waits for its messages
      if (isApiError(error, "not_found")) takeFromOutbox(messageId);
      else putInOutbox({ ...found, status: "failed" });
      throw error;
    }
  });
}

/** Tries everything of this wallet again: after a reload, and when the connection is back. */
export async function deliverWaiting(owner: string, queryClient: QueryClient): Promise<void> {
  const waiting = outbox.getState().entries.filter((each) => each.owner === owner);
  for (const { message } of waiting) {
    try {
      await deliver(message._id, queryClient);
    } catch (error) {
      // Marked as failed; without a network the others would fail alike
      if (isNetworkError(error)) return;
    }
  }
}
