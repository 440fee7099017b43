import { lazy, Suspense } from "react";
import type { AgentProposal } from "../../lib/ai/agent-proposal.ts";
import type { Answer } from "./answer-text.ts";
import { PlainWhenBroken } from "./plain-when-broken.tsx";

const AnswerView = lazy(() => import("./answer-view.tsx"));

interface AnswerBubbleProps {
  readonly answer: Answer;
  /** Text of the assistant's current activity before it writes. */
  readonly activity: string;
  readonly isLive?: boolean;
  readonly onProposal?: (proposal: AgentProposal) => void;
}

/** Bubble of an assistant's answer; its renderer is loaded with the first answer. */
export function AnswerBubble({ answer, activity, isLive = false, onProposal }: AnswerBubbleProps) {
  return (
    <div className="max-w-[95%] min-w-0 self-start rounded-lg rounded-bl-sm border bg-raised px-3 py-2 text-sm">
      {answer.text !== "" && (
        <PlainWhenBroken text={answer.text}>
          <Suspense fallback={<p className="break-words whitespace-pre-wrap">{answer.text}</p>}>
            <AnswerView answer={answer} isLive={isLive} onProposal={onProposal} />
          </Suspense>
        </PlainWhenBroken>
      )}
      {isLive && (
        <p role="status" className="flex items-center gap-2 text-xs text-muted">
          <span aria-hidden className="inline-flex gap-1 py-1.5">
            {[0, 150, 300].map((delay) => (
              <span
                key={delay}
                style={{ animationDelay: `${delay}ms` }}
                className={`size-1.5 rounded-full bg-current ${
                  // Dots animate only until text arrives: animating them beside growing text costs frames
                  answer.text === "" ? "animate-[pulse-soft_1s_ease-in-out_infinite]" : ""
                }`}
              />
            ))}
          </span>
          {activity === "" ? <span className="sr-only">The assistant is writing</span> : activity}
        </p>
      )}
    </div>
  );
}
