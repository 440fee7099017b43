import { Button } from "../../ui/button.tsx";
import { decodeAnswer } from "./answer-text.ts";
import { ProblemNote } from "./problem-note.tsx";
import type { ShownMessage } from "./shown-messages.ts";
import type { Conversation } from "./use-conversation.ts";

interface AnswerActionsProps {
  readonly conversation: Conversation;
  readonly last: ShownMessage | undefined;
  readonly onApiKey: () => void;
}

/** Shows why the last answer stopped, with a button to ask again or to continue it. */
export function AnswerActions({ conversation, last, onApiKey }: AnswerActionsProps) {
  const { liveId, problem, askAgain, continueAnswer } = conversation;
  if (liveId !== undefined) return null;
  const sent = last?.status === "sent" ? last : undefined;
  const isUnanswered = sent?.type === "user";
  const isUnfinished = sent?.type === "ai" && decodeAnswer(sent.content).ending !== "complete";
  return (
    <>
      {problem && <ProblemNote problem={problem} onApiKey={onApiKey} />}
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
