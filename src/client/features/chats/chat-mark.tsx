import { chatColour } from "../../lib/chat-colour.ts";
import type { Chat } from "../../queries/chats.ts";
import { chatName } from "./group-chats.ts";
import { initialsOf } from "./initials.ts";

/** A chat's colour and initials: what it is known by where its name has no room. */
export function ChatMark({ chat }: { readonly chat: Chat }) {
  const { fill, text } = chatColour(chat.id);
  return (
    <span
      aria-hidden
      // Drawn, not written: a button is asked for by the name it says, and initials are no name
      data-initials={initialsOf(chatName(chat))}
      style={{ background: fill, color: text }}
      className="inline-flex size-7 items-center justify-center rounded-md text-2xs font-semibold before:content-[attr(data-initials)]"
    />
  );
}
