import * as z from "zod/mini";
import type { ChatId } from "../../../domain/ids.ts";
import { storedValue } from "../stored.ts";

/** Longest notes, in characters; they go into every question. */
export const MAX_NOTES = 2_000;

const stored = storedValue(
  "agent-notes",
  1,
  z.record(z.string(), z.string().check(z.maxLength(MAX_NOTES))),
);

/** Returns the standing notes of a chat's agent, which this browser keeps; empty for none. */
export const readNotes = (chatId: ChatId | ""): string => stored.read()?.[chatId] ?? "";

export function writeNotes(chatId: ChatId, notes: string): void {
  const { [chatId]: _before, ...others } = stored.read() ?? {};
  stored.write(notes.trim() === "" ? others : { ...others, [chatId]: notes });
}
