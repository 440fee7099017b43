import type { QueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import { createStore } from "zustand/vanilla";
import { message } from "../../../contract/chats.ts";
import { chatId, ownerAddress } from "../../../contract/fields.ts";
import { withLock } from "../../lib/locks.ts";
import { isApiError, isNetworkError } from "../../lib/problem.ts";
import { storedEntries } from "../../lib/stored.ts";
import { addMessage } from "../../../contract/chats.ts";
import { call } from "../../lib/api.ts";
import { changeMessages, messagesQuery } from "../../queries/messages.ts";
import type { SignedInWallet } from "../../lib/session.ts";

/** Stored as on the wire, because an older version of the page may have written it. */
const entry = z.object({
  owner: ownerAddress,
  chatId,
  message,
  status: z.enum(["pending", "failed"]),
});

/** Message that the server has not confirmed. */
export type OutgoingMessage = z.infer<typeof entry>;

const stored = storedEntries("chat-outbox", 1, entry);

interface Outbox {
  readonly entries: readonly OutgoingMessage[];
}

/** Entries of this tab, which are sent even when the browser denies storage. */
const own = new Map<string, OutgoingMessage>();

function readEntries(): readonly OutgoingMessage[] {
  return [...new Map([...own, ...stored.read()]).values()].sort((a, b) =>
    a.message.at.localeCompare(b.message.at),
  );
}

/** Unsent messages, shared by all tabs and kept across reloads. */
export const outbox = createStore<Outbox>(() => ({ entries: readEntries() }));

/** Loads entries that other tabs, or this one before a reload, stored. */
function reload(): void {
  outbox.setState({ entries: readEntries() });
}

globalThis.addEventListener?.("storage", ({ key, newValue }) => {
  const id = key === null ? null : stored.idOf(key);
  if (key !== null && id === null) return;
  // Another tab sent or deleted the entry
  if (id !== null && newValue === null) own.delete(id);
  reload();
});

export function putInOutbox(outgoing: OutgoingMessage): void {
  own.set(outgoing.message.id, outgoing);
  stored.write(outgoing.message.id, outgoing);
  reload();
}

export function takeFromOutbox(messageId: string): void {
  own.delete(messageId);
  stored.remove(messageId);
  reload();
}

/**
 * Stores one waiting message, unless another tab already did. Its id stays the same over every try, so the server
 * keeps it once. Throws what the call throws; the message is then marked failed.
 */
export function deliver(messageId: string, queryClient: QueryClient): Promise<void> {
  return withLock("wheelhouse-outbox", async () => {
    reload();
    const found = outbox.getState().entries.find(({ message }) => message.id === messageId);
    if (!found) return;
    putInOutbox({ ...found, status: "pending" });
    try {
      const stored = await call(addMessage, {
        params: { chatId: found.chatId },
        body: found.message,
      });
      const query = messagesQuery(found.owner, found.chatId);
      await changeMessages(queryClient, query, (messages) =>
        messages.some(({ id }) => id === stored.id) ? messages : [...messages, stored],
      );
      takeFromOutbox(messageId);
    } catch (error) {
      // The chat was deleted, so its messages are dropped
      if (isApiError(error, "not_found")) takeFromOutbox(messageId);
      else putInOutbox({ ...found, status: "failed" });
      throw error;
    }
  });
}

/** Retries all entries of this wallet, after a reload and after reconnecting. */
export async function deliverWaiting(
  owner: SignedInWallet,
  queryClient: QueryClient,
): Promise<void> {
  const waiting = outbox.getState().entries.filter((each) => each.owner === owner);
  for (const { message } of waiting) {
    try {
      await deliver(message.id, queryClient);
    } catch (error) {
      // Already marked as failed; without a network the others would fail too
      if (isNetworkError(error)) return;
    }
  }
}
