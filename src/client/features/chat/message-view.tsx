import { Pencil, Trash2 } from "lucide-react";
import { memo } from "react";
import type { ChatId } from "../../../domain/ids.ts";
import type { AgentProposal } from "../../lib/ai/agent-proposal.ts";
import { chatColour } from "../../lib/chat-colour.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { TimeText } from "../../ui/time-text.tsx";
import { decodeAnswer } from "./answer-text.ts";
import { MessageAnswer } from "./message-answer.tsx";
import type { ShownMessage } from "./shown-messages.ts";

interface MessageViewProps {
  readonly chatId: ChatId | "";
  readonly message: ShownMessage;
  /** True while the assistant writes the message. */
  readonly isLive: boolean;
  /** Called before a live answer renders with more text. */
  readonly onGrow: () => void;
  readonly onRetry: (message: ShownMessage) => void;
  readonly onEdit: (text: string) => void;
  readonly onDelete: (message: ShownMessage) => void;
  readonly onProposal: (proposal: AgentProposal) => void;
}

function isSame(before: MessageViewProps, now: MessageViewProps): boolean {
  const { id, status, content } = now.message;
  return (
    before.chatId === now.chatId &&
    before.isLive === now.isLive &&
    before.message.id === id &&
    before.message.status === status &&
    before.message.content === content
  );
}

/** Message, memoised because a stream rerenders the list many times a second. */
export const MessageView = memo(function MessageView(props: MessageViewProps) {
  const { chatId, message, isLive } = props;
  const { status, content } = message;
  const isMine = message.type === "user";
  const colour = chatColour(chatId);
  return (
    <div className={`group flex flex-col ${isMine ? "items-end" : "items-start"}`}>
      {!isMine ? (
        <MessageAnswer message={message} onGrow={props.onGrow} onProposal={props.onProposal} />
      ) : (
        <p
          style={{ background: colour.fill, color: colour.text }}
          className={`max-w-[85%] rounded-lg rounded-br-sm px-3 py-2 text-sm break-words whitespace-pre-wrap ${
            status === "pending" ? "opacity-70" : ""
          }`}
        >
          {content}
        </p>
      )}
      {!isLive && (
        <span
          className={`mt-0.5 flex min-h-6 items-center gap-1 text-2xs text-faint ${isMine ? "flex-row-reverse" : ""}`}
        >
          {status === "failed" && (
            <span className="flex items-center gap-1">
              <span className="text-down">Not sent</span>
              <button
                type="button"
                onClick={() => props.onRetry(message)}
                className="min-h-6 px-1 font-medium text-accent-text"
              >
                Retry
              </button>
            </span>
          )}
          {status === "pending" && "Sending…"}
          {status === "sent" && <TimeText at={message.at} as="short" />}
          <span className="flex opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100">
            <CopyButton text={isMine ? content : decodeAnswer(content).text} label="Copy message" />
            {isMine && (
              <IconButton
                size="small"
                label="Edit and resend"
                icon={<Pencil aria-hidden />}
                onClick={() => props.onEdit(content)}
              />
            )}
            {status !== "pending" && (
              <IconButton
                size="small"
                label="Delete message"
                icon={<Trash2 aria-hidden />}
                onClick={() => props.onDelete(message)}
              />
            )}
          </span>
        </span>
      )}
    </div>
  );
}, isSame);
