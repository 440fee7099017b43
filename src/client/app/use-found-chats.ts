import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { debounce } from "../lib/debounce.ts";
import { messageSearchQuery } from "../queries/messages.ts";
import type { SignedInWallet } from "../lib/session.ts";

/** Pause in typing before the server is asked, in milliseconds. */
const PAUSE_MS = 250;
const MAX_LENGTH = 100;

interface FoundChats {
  /** Excerpt around the found text, by chat id. */
  readonly excerpts: ReadonlyMap<string, string>;
  readonly search: (text: string) => void;
}

/** Searches the messages of all chats while the user types. */
export function useFoundChats(address: SignedInWallet): FoundChats {
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
