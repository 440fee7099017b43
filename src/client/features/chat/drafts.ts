import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";

const drafts = createStore<Readonly<Record<string, string>>>(() => ({}));

export function forgetDrafts(): void {
  drafts.setState({}, true);
}

/** What is typed into a chat and not sent, kept while the page is open: on phones the chat leaves the screen. */
export function useDraft(chatId: string): readonly [text: string, set: (text: string) => void] {
  const text = useStore(drafts, (all) => all[chatId] ?? "");
  return [text, (next) => drafts.setState({ [chatId]: next })];
}
