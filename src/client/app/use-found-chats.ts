import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { debounce } from "../lib/debounce.ts";
import { messageSearchQuery } from "../queries/messages.ts";

/** A pause in typing after which the server is asked. */
const PAUSE_MS = 250;
const MAX_LENGTH = 100;

interface FoundChats {
  /** Words around the text in each chat that holds it, by chat. */
  readonly excerpts: ReadonlyMap<string, string>;
  readonly search: (text: string) => void;
}

/** Looks through the messages of all chats as the user types. */
export function useFoundChats(address: string): FoundChats {
  const [text, setText] = useState("");
  const search = useMemo(
    () => debounce((typed: string) => setText(typed.trim().slice(0, MAX_LENGTH)), PAUSE_MS),
    [],
  );
  const { data } = useQuery(messageSearchQuery(address, text));
  const excerpts = useMemo(
    () => new Map((data ?? []).map(({ chatId, excerpt }) => [chatId, excerpt])),
    [data],
  );
  return { excerpts, search };
}
