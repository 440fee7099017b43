import { clsx } from "clsx";
import { Bot, MessageSquare, Plus } from "lucide-react";
import type { Chat } from "../../queries/chats.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Tooltip } from "../../ui/tooltip.tsx";
import { chatName } from "./group-chats.ts";

interface ChatRailProps {
  readonly chats: readonly Chat[] | undefined;
  readonly currentChatId: string;
  readonly isConnected: boolean;
  readonly isSignedIn: boolean;
  readonly onSelect: (chatId: string) => void;
  readonly onCreate: () => void;
}

/** One icon per chat at the right edge, 48 px wide. */
export function ChatRail(props: ChatRailProps) {
  const { chats, currentChatId, isConnected, isSignedIn } = props;
  return (
    <nav
      aria-label="Chat rail"
      className="flex w-12 shrink-0 flex-col items-center gap-1 overflow-y-auto border-l bg-surface py-2"
    >
      {isConnected && isSignedIn ? (
        <>
          <IconButton label="New Chat" icon={<Plus aria-hidden />} onClick={props.onCreate} />
          {chats === undefined && <Skeleton className="size-8" />}
          {chats?.map((chat) => (
            <Tooltip key={chat._id} label={chatName(chat)} side="left">
              <button
                type="button"
                aria-label={chatName(chat)}
                aria-current={chat._id === currentChatId || undefined}
                onClick={() => props.onSelect(chat._id)}
                className={clsx(
                  "tint relative inline-flex size-8 shrink-0 items-center justify-center rounded-md hover:bg-hover [&_svg]:size-4",
                  chat._id === currentChatId ? "bg-accent-soft text-accent-text" : "text-muted",
                )}
              >
                {chat.agent ? <Bot aria-hidden /> : <MessageSquare aria-hidden />}
                {chat.agent?.tradingStatus === "on" && (
                  <span
                    aria-hidden
                    className="absolute top-1 right-1 size-1.5 rounded-full bg-up"
                  />
                )}
              </button>
            </Tooltip>
          ))}
        </>
      ) : (
        <span
          title="Connect your wallet to see your chats"
          className="inline-flex size-8 items-center justify-center text-faint"
        >
          <MessageSquare aria-hidden className="size-4" />
        </span>
      )}
    </nav>
  );
}
