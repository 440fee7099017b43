import { ArrowDown } from "lucide-react";
import { lazy, Suspense, useRef, useState } from "react";
import type { AgentProposal } from "../../lib/ai/agent-proposal.ts";
import { Button } from "../../ui/button.tsx";
import { decodeAnswer } from "./answer-text.ts";
import { MessageView } from "./message-view.tsx";
import { ProblemNote } from "./problem-note.tsx";
import type { Conversation, ShownMessage } from "./use-conversation.ts";
import { useStickToEnd } from "./use-stick-to-end.ts";

const DeleteMessageDialog = lazy(() => import("./delete-message-dialog.tsx"));

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
  _id: id,
  type: "ai",
  content: "",
  timestamp: "",
  status: "sent",
});

export function MessageList(props: MessageListProps) {
  const { chatId, conversation, messages, isFiltered, onProposal } = props;
  const { liveId, problem } = conversation;
  const listRef = useRef<HTMLDivElement>(null);
  const { isAway, follow, goToEnd } = useStickToEnd(listRef);
  const [doomed, setDoomed] = useState<ShownMessage | null>(null);
  const last = messages.at(-1);
  const isIdle = !isFiltered && liveId === undefined && last?.status === "sent";
  const isUnanswered = isIdle && last.type === "user";
  const isUnfinished =
    isIdle && last.type === "ai" && decodeAnswer(last.content).ending !== "complete";

  // The same element from the first word to the stored message, so that its end redraws nothing
  const shown = liveId === undefined || isFiltered ? messages : [...messages, liveMessage(liveId)];

  return (
    <>
      <div
        ref={listRef}
        role="log"
        aria-label="Messages"
        aria-busy={liveId !== undefined}
        tabIndex={0}
        className="min-h-0 grow overflow-y-auto outline-offset-[-2px]"
      >
        <div className="flex flex-col gap-3 p-4">
          {shown.map((message) => (
            <MessageView
              key={message._id}
              chatId={chatId}
              message={message}
              isLive={message._id === liveId}
              onGrow={follow}
              onRetry={conversation.retry}
              onEdit={props.onEdit}
              onDelete={setDoomed}
              onProposal={onProposal}
            />
          ))}
          {!isFiltered && problem && liveId === undefined && (
            <ProblemNote problem={problem} onApiKey={props.onApiKey} />
          )}
          {isUnanswered && (
            <Button size="small" className="self-start" onClick={conversation.askAgain}>
              {problem ? "Try again" : "Get an answer"}
            </Button>
          )}
          {isUnfinished && (
            <Button size="small" className="self-start" onClick={conversation.continueAnswer}>
              Continue
            </Button>
          )}
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
