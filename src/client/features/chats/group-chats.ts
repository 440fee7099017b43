import type { Chat } from "../../queries/chats.ts";

/** Name people know a chat by: its agent's, else its title. */
export function chatName(chat: Chat): string {
  return chat.agent?.agentName || chat.title;
}

/** Chats whose title or agent name holds the text, on and off apart. */
export function groupChats(
  chats: readonly Chat[],
  search: string,
): { readonly on: readonly Chat[]; readonly off: readonly Chat[] } {
  const wanted = search.trim().toLocaleLowerCase();
  const found = chats.filter((chat) =>
    [chat.title, chat.agent?.agentName ?? ""].some((name) =>
      name.toLocaleLowerCase().includes(wanted),
    ),
  );
  const isOn = (chat: Chat) => chat.agent?.tradingStatus === "on";
  return { on: found.filter(isOn), off: found.filter((chat) => !isOn(chat)) };
}
