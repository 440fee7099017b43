import type { Chat } from "../../../../contract/chats.ts";

/** Returns a chat's display name: its agent's name, otherwise its title. */
export function chatName(chat: Chat): string {
  return chat.agent?.name || chat.title;
}

export interface ChatGroups {
  readonly on: readonly Chat[];
  readonly off: readonly Chat[];
  /** Chats without an agent. */
  readonly none: readonly Chat[];
}

/** Groups chats by agent state; keeps those matching the text in title, agent name or messages. */
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
