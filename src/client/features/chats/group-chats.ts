import type { Chat } from "../../queries/chats.ts";

/** Name people know a chat by: its agent's, else its title. */
export function chatName(chat: Chat): string {
  return chat.agent?.name || chat.title;
}

export interface ChatGroups {
  readonly on: readonly Chat[];
  readonly off: readonly Chat[];
  /** Chats without an agent: there is nothing in them that could be on or off. */
  readonly none: readonly Chat[];
}

/** Chats whose title or agent name holds the text, or in which it was found, by what their agents do. */
export function groupChats(
  chats: readonly Chat[],
  search: string,
  found: ReadonlyMap<string, unknown>,
): ChatGroups {
  const wanted = search.trim().toLocaleLowerCase();
  const shown = chats.filter(
    (chat) =>
      found.has(chat.id) ||
      [chat.title, chat.agent?.name ?? ""].some((name) =>
        name.toLocaleLowerCase().includes(wanted),
      ),
  );
  const isOn = (chat: Chat) => (chat.agent?.autoTrade ?? "off") !== "off";
  return {
    on: shown.filter(isOn),
    off: shown.filter((chat) => chat.agent && !isOn(chat)),
    none: shown.filter((chat) => !chat.agent),
  };
}
