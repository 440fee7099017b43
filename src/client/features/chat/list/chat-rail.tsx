import { clsx } from "clsx";
import { MessageSquare, PanelRight, Plus } from "lucide-react";
import type { ChatId } from "../../../../domain/ids.ts";
import { useSessionStatus } from "../../../lib/session.ts";
import type { Chat } from "../../../../contract/chats.ts";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { Tooltip } from "../../../ui/tooltip-provider.tsx";
import { chatName } from "./group-chats.ts";
import { chatColour } from "../../../lib/chat-colour.ts";
import { chatHidden, toggleChat } from "../../../lib/split-layout.ts";
import { useStore } from "zustand";

interface ChatRailProps {
  readonly chats: readonly Chat[] | undefined;
  readonly currentChatId: string;
  readonly isConnected: boolean;
  readonly isSignedIn: boolean;
  readonly onSelect: (chatId: ChatId) => void;
  readonly onCreate: () => void;
}

/** Chat rail at the right edge, 48 px wide, one mark per chat. New Chat keeps its position. */
export function ChatRail(props: ChatRailProps) {
  const { chats, currentChatId, isConnected, isSignedIn } = props;
  const isChatShown = !useStore(chatHidden);
  const isRestoring = useSessionStatus() === "restoring";
  return (
    <nav
      aria-label="Chat rail"
      className="flex w-12 shrink-0 flex-col items-center gap-1 border-l bg-surface py-2"
    >
      {isConnected && isSignedIn ? (
        <>
          <IconButton label="New Chat" icon={<Plus aria-hidden />} onClick={props.onCreate} />
          <div className="flex min-h-0 w-full grow flex-col items-center gap-1 overflow-y-auto py-1 [scrollbar-width:none]">
            {chats === undefined && <Skeleton className="size-8" />}
            {chats?.map((chat) => (
              <Tooltip key={chat.id} label={chatName(chat)} side="left">
                <button
                  type="button"
                  aria-label={chatName(chat)}
                  aria-current={chat.id === currentChatId || undefined}
                  onClick={() => props.onSelect(chat.id)}
                  className={clsx(
                    "tint relative inline-flex size-9 shrink-0 items-center justify-center rounded-md hover:bg-hover",
                    chat.id === currentChatId && "bg-hover ring-2 ring-accent ring-inset",
                  )}
                >
                  <ChatMark chat={chat} />
                  {chat.agent && chat.agent.autoTrade !== "off" && (
                    <span
                      aria-hidden
                      className="absolute top-0 right-0 size-2.5 rounded-full border-2 border-surface bg-up"
                    />
                  )}
                </button>
              </Tooltip>
            ))}
          </div>
        </>
      ) : (
        <span
          title={isRestoring ? undefined : "Connect your wallet to see your chats"}
          className="inline-flex size-8 items-center justify-center text-faint"
        >
          <MessageSquare aria-hidden className="size-4" />
        </span>
      )}
      <IconButton
        label={isChatShown ? "Hide the chat" : "Show the chat"}
        aria-keyshortcuts="Control+. Meta+."
        icon={<PanelRight aria-hidden />}
        onClick={toggleChat}
        className="mt-auto"
      />
    </nav>
  );
}

/** Mark with a chat's colour and initials, where the name does not fit. */
function ChatMark({ chat }: { readonly chat: Chat }) {
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

/** First word of generated agent names, which does not distinguish them. */
const COMMON = "agent";

/** Returns one or two initials of a name: of its first two words, or of its only word. */
export function initialsOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  const telling = words.filter((word) => word.toLocaleLowerCase() !== COMMON);
  const [first = words[0] ?? "", second] = telling;
  const letters =
    second === undefined
      ? Array.from(first).slice(0, 2)
      : [first, second].map((word) => Array.from(word)[0]);
  return letters.join("").toLocaleUpperCase();
}
