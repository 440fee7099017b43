import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import type { ChatId } from "../../../domain/ids.ts";

const drafts = createStore<Readonly<Record<string, string>>>(() => ({}));

export function forgetDrafts(): void {
  drafts.setState({}, true);
}

/** Unsent text of a chat, kept while the page is open, because on phones the chat unmounts. */
export function useDraft(
  chatId: ChatId | "",
): readonly [text: string, set: (text: string) => void] {
  const text = useStore(drafts, (all) => all[chatId] ?? "");
  return [text, (next) => drafts.setState({ [chatId]: next })];
}
