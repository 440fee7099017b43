import { useEffect, useRef } from "react";
import { formatTime } from "../../lib/format.ts";
import type { Message } from "../../queries/messages.ts";
import { chatColour } from "./chat-colour.ts";
import type { OutgoingMessage } from "./outbox.ts";

interface MessageListProps {
  readonly chatId: string;
  readonly messages: readonly (Message | OutgoingMessage)[];
  readonly onRetry: (message: Message) => void;
}

export function MessageList({ chatId, messages, onRetry }: MessageListProps) {
  const endRef = useRef<HTMLDivElement>(null);
  const colour = chatColour(chatId);
  useEffect(() => {
    endRef.current?.scrollIntoView({ block: "end" });
  }, [messages.length, chatId]);
  return (
    <div
      role="log"
      aria-label="Messages"
      tabIndex={0}
      className="flex min-h-0 grow flex-col gap-3 overflow-y-auto p-4 outline-offset-[-2px]"
    >
      {messages.map((message) => {
        const status = "status" in message ? message.status : "sent";
        const isMine = message.type === "user";
        return (
          <article
            key={message._id}
            className={isMine ? "flex flex-col items-end" : "flex flex-col items-start"}
          >
            <p
              style={isMine ? { background: colour.fill, color: colour.text } : undefined}
              className={`max-w-[85%] rounded-lg px-3 py-2 text-sm break-words whitespace-pre-wrap ${
                isMine ? "rounded-br-sm" : "rounded-bl-sm border bg-raised"
              } ${status === "pending" ? "opacity-70" : ""}`}
            >
              {message.content}
            </p>
            <span className="mt-1 flex items-center gap-2 text-2xs text-faint">
              {status === "failed" ? (
                <>
                  <span className="text-down">Not sent</span>
                  <button
                    type="button"
                    onClick={() => onRetry(message)}
                    className="min-h-6 px-1 font-medium text-accent-text"
                  >
                    Retry
                  </button>
                </>
              ) : status === "pending" ? (
                "Sending…"
              ) : (
                formatTime(message.timestamp)
              )}
            </span>
          </article>
        );
      })}
      <div ref={endRef} />
    </div>
  );
}
