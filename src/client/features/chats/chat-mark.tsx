import { chatColour } from "../../lib/chat-colour.ts";
import type { Chat } from "../../queries/chats.ts";
import { chatName } from "./group-chats.ts";
import { initialsOf } from "./initials.ts";

/** Mark with a chat's colour and initials, where the name does not fit. */
export function ChatMark({ chat }: { readonly chat: Chat }) {
  const { fill, text } = chatColour(chat.id);
  return (
    <span
      aria-hidden
      // Rendered by CSS, so that the initials are not part of the button's accessible name
      data-initials={initialsOf(chatName(chat))}
      style={{ background: fill, color: text }}
      className="inline-flex size-7 items-center justify-center rounded-md text-2xs font-semibold before:content-[attr(data-initials)]"
    />
  );
}
