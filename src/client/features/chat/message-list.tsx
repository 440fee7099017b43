import { ArrowDown } from "lucide-react";
import { type KeyboardEvent, Suspense, useDeferredValue, useRef, useState } from "react";
import type { ChatId } from "../../../domain/ids.ts";
import type { AgentProposal } from "../../lib/ai/agent-proposal.ts";
import { useOlderMessages } from "../../queries/messages.ts";
import { Button } from "../../ui/button.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { AnswerActions } from "./answer-actions.tsx";
import { MessageRow } from "./message-row.tsx";
import { MessageView } from "./message-view.tsx";
import { OlderMessages } from "./older-messages.tsx";
import type { ShownMessage } from "./shown-messages.ts";
import type { Conversation } from "./use-conversation.ts";
import { useMessageWindow } from "./use-message-window.ts";
import { useStickToEnd } from "./use-stick-to-end.ts";

const DeleteMessageDialog = lazyPart(() => import("./delete-message-dialog.tsx"), {
  isAbove: true,
});

interface MessageListProps {
  readonly chatId: ChatId | "";
  readonly conversation: Conversation;
  /** Messages shown: all, or the search results. */
  readonly messages: readonly ShownMessage[];
  readonly isFiltered: boolean;
  readonly onEdit: (text: string) => void;
  readonly onApiKey: () => void;
  readonly onProposal: (proposal: AgentProposal) => void;
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
  const { chatId, conversation, messages, isFiltered, onProposal } = props;
  const { liveId } = conversation;
  const listRef = useRef<HTMLDivElement>(null);
  const { isAway, isStuck, follow, goToEnd } = useStickToEnd(listRef);
  const [doomed, setDoomed] = useState<ShownMessage | null>(null);

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
                onProposal={onProposal}
              />
            </MessageRow>
          ))}
          <Room height={after} />
          {!isFiltered && (
            <AnswerActions
              conversation={conversation}
              last={messages.at(-1)}
              onApiKey={props.onApiKey}
            />
          )}
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
