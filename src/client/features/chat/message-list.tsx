import { ArrowDown, Pencil, Trash2 } from "lucide-react";
import {
  type KeyboardEvent,
  Suspense,
  useDeferredValue,
  useRef,
  useState,
  type ReactNode,
  memo,
  useLayoutEffect,
} from "react";
import type { ChatId } from "../../../domain/ids.ts";
import { useOlderMessages } from "../../queries/messages.ts";
import { Button } from "../../ui/button.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import type { ShownMessage } from "./shown-messages.ts";
import type { Conversation } from "./use-conversation.ts";
import { type RowHeights, useMessageWindow } from "./message-window.ts";
import { useStickToEnd } from "./use-stick-to-end.ts";
import { decodeAnswer } from "./assistant/answer-text.ts";
import { useReleasedFocus } from "../../lib/use-released-focus.ts";
import { chatColour } from "../../lib/chat-colour.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { TimeText } from "../../ui/time-text.tsx";
import { MessageAnswer } from "./message-answer.tsx";
import { openDialog } from "../../lib/dialogs.ts";
import { answers } from "./assistant/live-answers.ts";
import { useStore } from "zustand";

interface OlderMessagesProps {
  /** Present after older messages could not be read. */
  readonly onRetry: (() => void) | null;
  /** True when the reader waits for them at the oldest message. */
  readonly isAwaited: boolean;
  /** Called after the button's click, which goes with the failure, so that the focus goes elsewhere. */
  readonly onRetried: () => void;
}

/** Note above the oldest message while older ones are loaded, or after that failed. */
function OlderMessages({ onRetry, isAwaited, onRetried }: OlderMessagesProps) {
  if (onRetry !== null) {
    return (
      <div role="alert" className="absolute inset-x-2 top-2 flex justify-center">
        <p className="flex items-center gap-2 rounded-md border bg-raised py-1 pr-1 pl-3 text-xs shadow-pop">
          Older messages could not be loaded.
          <Button
            size="small"
            onClick={() => {
              onRetry();
              onRetried();
            }}
          >
            Try again
          </Button>
        </p>
      </div>
    );
  }
  if (!isAwaited) return null;
  return (
    <p
      role="status"
      className="absolute top-2 left-1/2 -translate-x-1/2 rounded-md border bg-raised px-3 py-1 text-xs text-muted shadow-pop"
    >
      Loading older messages…
    </p>
  );
}

const useProblem = (messageId: string) => useStore(answers, ({ problems }) => problems[messageId]);

/** Note below a message about why it has no answer, or no end. */
function ProblemNote({ messageId }: { readonly messageId: string }) {
  const problem = useProblem(messageId);
  if (problem === undefined) return null;
  return (
    <div
      role="alert"
      className="mt-3 flex flex-col items-start gap-2 rounded-lg bg-down-soft px-3 py-2 text-sm text-down"
    >
      <p>
        <strong className="font-semibold">{problem.title}</strong>
        <br />
        {problem.message}
      </p>
      {problem.isAboutKey && (
        <Button size="small" onClick={() => openDialog({ kind: "api-key" })}>
          API Key
        </Button>
      )}
    </div>
  );
}

const DeleteMessageDialog = lazyPart(() => import("./delete-message-dialog.tsx"), {
  isAbove: true,
});

interface MessageListProps {
  readonly chatId: ChatId | "";
  readonly conversation: Conversation;
  /** Messages shown: all, or the search results. */
  readonly messages: readonly ShownMessage[];
  readonly isFiltered: boolean;
  readonly onEdit: (message: ShownMessage) => void;
}

/** Distance from the oldest loaded message at which older ones are read, in pixels. */
const READ_AHEAD_PX = 2_000;

/** Returns a placeholder message for the answer being written. */
const liveMessage = (id: string): ShownMessage => ({
  id,
  type: "ai",
  content: "",
  at: "",
  status: "sent",
});

export function MessageList(props: MessageListProps) {
  const { chatId, conversation, messages, isFiltered } = props;
  const { liveId } = conversation;
  const listRef = useRef<HTMLDivElement>(null);
  const { isAway, isStuck, follow, goToEnd } = useStickToEnd(listRef);
  const [doomed, setDoomed] = useState<ShownMessage | null>(null);
  const asked = messages.findLast(({ type, status }) => type === "user" && status === "pending");
  // Who sends a message sees it, wherever he was reading
  useLayoutEffect(() => {
    if (asked !== undefined) goToEnd();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each message
  }, [asked?.id]);

  // Keeps one element from first word to stored message, so that the end causes no rerender
  const shown = liveId === undefined || isFiltered ? messages : [...messages, liveMessage(liveId)];
  const drawn = useMessageWindow(listRef, shown, isStuck, isFiltered);
  const { start, end, before, after, heights } = drawn;
  const isWanted = isFiltered || before < READ_AHEAD_PX;
  const older = useOlderMessages(conversation.owner, chatId, isWanted);
  // Scrolling back must not announce old messages; the live attribute returns after the end is rendered
  const wasAway = useDeferredValue(isAway);

  /** Handles scroll keys: heights near the ends are known only after rendering, too late for native scrolling. */
  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const isInside =
      event.target !== event.currentTarget && !(event.target as Element).matches("button, a");
    if (!["Home", "End"].includes(event.key) || event.shiftKey || isInside) return;
    event.preventDefault();
    if (event.key === "End") goToEnd();
    else drawn.goToStart();
  }

  return (
    <>
      {/* Focusable, so that keys scroll it */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        ref={listRef}
        role="log"
        aria-label="Messages"
        aria-busy={liveId !== undefined}
        aria-live={isAway || wasAway ? "off" : "polite"}
        tabIndex={0}
        onKeyDown={onKeyDown}
        className="min-h-0 grow overflow-y-auto outline-offset-[-2px]"
      >
        <div className="flex flex-col p-4 pb-1">
          <Room height={before} />
          {shown.slice(start, end).map((message, index) => (
            <MessageRow
              key={message.id}
              id={message.id}
              label={message.type === "user" ? "You" : "Assistant"}
              index={start + index}
              count={shown.length}
              heights={heights}
            >
              <MessageView
                chatId={chatId}
                message={message}
                isLive={message.id === liveId}
                onGrow={follow}
                onRetry={conversation.retry}
                onEdit={props.onEdit}
                onDelete={setDoomed}
              />
              <ProblemNote messageId={message.id} />
            </MessageRow>
          ))}
          <Room height={after} />
          {!isFiltered && <AnswerActions conversation={conversation} last={messages.at(-1)} />}
          {/* No reserved space on phones, where toasts are at the top */}
          <div aria-hidden className="h-(--toast-room) shrink-0 max-md:hidden" />
        </div>
      </div>
      {doomed && (
        <Suspense>
          <DeleteMessageDialog
            isMine={doomed.type === "user"}
            onDelete={async () => {
              await conversation.remove(doomed);
              // The focused button was removed with the message
              listRef.current?.focus();
            }}
            onClose={() => setDoomed(null)}
          />
        </Suspense>
      )}
      <OlderMessages
        onRetry={older.retry}
        isAwaited={older.isLoading && start === 0}
        onRetried={() => listRef.current?.focus()}
      />
      {isAway && <ToNewest onClick={goToEnd} />}
    </>
  );
}

function ToNewest({ onClick }: { readonly onClick: () => void }) {
  return (
    <Button
      size="small"
      className="absolute bottom-2 left-1/2 -translate-x-1/2 shadow-pop"
      onClick={onClick}
    >
      <ArrowDown aria-hidden />
      Newest
    </Button>
  );
}

/** Spacer for messages that are not rendered; excluded from scroll anchoring. */
function Room({ height }: { readonly height: number }) {
  return <div aria-hidden style={{ height }} className="shrink-0 [overflow-anchor:none]" />;
}

interface AnswerActionsProps {
  readonly conversation: Conversation;
  readonly last: ShownMessage | undefined;
}

/** Button to ask the last question again, or to continue its answer. */
function AnswerActions({ conversation, last }: AnswerActionsProps) {
  const { liveId, askAgain, continueAnswer } = conversation;
  const problem = useProblem(last?.id ?? "");
  if (liveId !== undefined) return null;
  const sent = last?.status === "sent" ? last : undefined;
  const isUnanswered = sent?.type === "user";
  const isUnfinished = sent?.type === "ai" && decodeAnswer(sent.content).ending !== "complete";
  return (
    <>
      {isUnanswered && (
        <Button size="small" className="mb-3 self-start" onClick={askAgain}>
          {problem ? "Try again" : "Get an answer"}
        </Button>
      )}
      {isUnfinished && (
        <Button size="small" className="mb-3 self-start" onClick={continueAnswer}>
          Continue
        </Button>
      )}
    </>
  );
}

interface MessageRowProps {
  readonly id: string;
  readonly label: string;
  /** Index in the whole list, from 0. */
  readonly index: number;
  readonly count: number;
  readonly heights: RowHeights;
  readonly children: ReactNode;
}

/** Row of the message list; announces its position among all messages, rendered or not. */
function MessageRow({ id, label, index, count, heights, children }: MessageRowProps) {
  const rowRef = useRef<HTMLElement>(null);
  useReleasedFocus(rowRef);
  useLayoutEffect(() => {
    const row = rowRef.current;
    return row ? heights.observe(id, row) : undefined;
  }, [heights, id]);
  return (
    <article
      ref={rowRef}
      data-row
      aria-label={label}
      aria-posinset={index + 1}
      aria-setsize={count}
      className="pb-3"
    >
      {children}
    </article>
  );
}

interface MessageViewProps {
  readonly chatId: ChatId | "";
  readonly message: ShownMessage;
  /** True while the assistant writes the message. */
  readonly isLive: boolean;
  /** Called before a live answer renders with more text. */
  readonly onGrow: () => void;
  readonly onRetry: (message: ShownMessage) => void;
  readonly onEdit: (message: ShownMessage) => void;
  readonly onDelete: (message: ShownMessage) => void;
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
const MessageView = memo(function MessageView(props: MessageViewProps) {
  const { chatId, message, isLive } = props;
  const { status, content } = message;
  const isMine = message.type === "user";
  const colour = chatColour(chatId);
  return (
    <div className={`group flex flex-col ${isMine ? "items-end" : "items-start"}`}>
      {!isMine ? (
        <MessageAnswer message={message} onGrow={props.onGrow} />
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
                onClick={() => props.onEdit(message)}
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
