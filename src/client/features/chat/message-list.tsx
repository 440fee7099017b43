import { ArrowDown } from "lucide-react";
import { type KeyboardEvent, Suspense, useDeferredValue, useRef, useState } from "react";
import type { AgentProposal } from "../../lib/ai/agent-proposal.ts";
import { Button } from "../../ui/button.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { decodeAnswer } from "./answer-text.ts";
import { MessageRow } from "./message-row.tsx";
import { MessageView } from "./message-view.tsx";
import { ProblemNote } from "./problem-note.tsx";
import type { Conversation, ShownMessage } from "./use-conversation.ts";
import { useMessageWindow } from "./use-message-window.ts";
import { useStickToEnd } from "./use-stick-to-end.ts";

const DeleteMessageDialog = lazyPart(() => import("./delete-message-dialog.tsx"), {
  isAbove: true,
});

interface MessageListProps {
  readonly chatId: string;
  readonly conversation: Conversation;
  /** What is shown: everything, or what the search found. */
  readonly messages: readonly ShownMessage[];
  readonly isFiltered: boolean;
  readonly onEdit: (text: string) => void;
  readonly onApiKey: () => void;
  readonly onProposal: (proposal: AgentProposal) => void;
}

/** Stands for the answer being written until it is stored. */
const liveMessage = (id: string): ShownMessage => ({
  id,
  type: "ai",
  content: "",
  at: "",
  status: "sent",
});

export function MessageList(props: MessageListProps) {
  const { chatId, conversation, messages, isFiltered, onProposal } = props;
  const { liveId, problem } = conversation;
  const listRef = useRef<HTMLDivElement>(null);
  const { isAway, isStuck, follow, goToEnd } = useStickToEnd(listRef);
  const [doomed, setDoomed] = useState<ShownMessage | null>(null);
  const last = messages.at(-1);
  const isIdle = !isFiltered && liveId === undefined && last?.status === "sent";
  const isUnanswered = isIdle && last.type === "user";
  const isUnfinished =
    isIdle && last.type === "ai" && decodeAnswer(last.content).ending !== "complete";

  // The same element from the first word to the stored message, so that its end redraws nothing
  const shown = liveId === undefined || isFiltered ? messages : [...messages, liveMessage(liveId)];
  const { start, end, before, after, heights } = useMessageWindow(listRef, shown, isStuck);
  // Old messages that come into view are no news; the attribute is back only once those around the end are drawn
  const wasAway = useDeferredValue(isAway);

  /** Where the ends are turns out only when the messages there are drawn, which a scroll of the browser's own does not wait for. */
  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const isInside =
      event.target !== event.currentTarget && !(event.target as Element).matches("button, a");
    if (!["Home", "End"].includes(event.key) || event.shiftKey || isInside) return;
    event.preventDefault();
    if (event.key === "End") goToEnd();
    else listRef.current?.scrollTo({ top: 0, behavior: "instant" });
  }

  return (
    <>
      {/* It scrolls, so it takes the keys that scroll */}
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
          {!isFiltered && problem && liveId === undefined && (
            <ProblemNote problem={problem} onApiKey={props.onApiKey} />
          )}
          {isUnanswered && (
            <Button size="small" className="mb-3 self-start" onClick={conversation.askAgain}>
              {problem ? "Try again" : "Get an answer"}
            </Button>
          )}
          {isUnfinished && (
            <Button size="small" className="mb-3 self-start" onClick={conversation.continueAnswer}>
              Continue
            </Button>
          )}
          {/* On phones toasts come from above */}
          <div aria-hidden className="h-(--toast-room) shrink-0 max-md:hidden" />
        </div>
      </div>
      {doomed && (
        <Suspense>
          <DeleteMessageDialog
            isMine={doomed.type === "user"}
            onDelete={async () => {
              await conversation.remove(doomed);
              // Its button is gone with it
              listRef.current?.focus();
            }}
            onClose={() => setDoomed(null)}
          />
        </Suspense>
      )}
      {isAway && (
        <Button
          size="small"
          className="absolute bottom-2 left-1/2 -translate-x-1/2 shadow-pop"
          onClick={goToEnd}
        >
          <ArrowDown aria-hidden />
          Newest
        </Button>
      )}
    </>
  );
}

/** Takes the place of messages that are not drawn; what is read never holds on to it. */
function Room({ height }: { readonly height: number }) {
  return <div aria-hidden style={{ height }} className="shrink-0 [overflow-anchor:none]" />;
}
