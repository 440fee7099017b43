import { lazy, Suspense, useLayoutEffect, useMemo, Component, type ReactNode } from "react";
import { useStore } from "zustand";
import type { Message } from "../../../contract/chats.ts";
import { type Answer, decodeAnswer } from "./assistant/answer-text.ts";
import { answers, type LiveAnswer } from "./assistant/live-answers.ts";

const AnswerView = lazy(() => import("./answer-view.tsx"));

interface MessageAnswerProps {
  readonly message: Message;
  /** Called before the answer renders with more text. */
  readonly onGrow: () => void;
}

const answerOf = ({ text, sources, reads, results }: LiveAnswer): Answer => ({
  text,
  sources,
  reads,
  results,
  ending: "complete",
});

/** Answer from first word to stored message; a stream rerenders only this component. */
export function MessageAnswer({ message, onGrow }: MessageAnswerProps) {
  const { content } = message;
  const live = useStore(answers, (all) => all.live.find(({ id }) => id === message.id));
  const stored = useMemo(() => decodeAnswer(content), [content]);
  useLayoutEffect(() => {
    if (live) onGrow();
  });
  return (
    <AnswerBubble
      answer={live ? answerOf(live) : stored}
      activity={live?.activity ?? ""}
      isLive={live !== undefined}
    />
  );
}

interface AnswerBubbleProps {
  readonly answer: Answer;
  /** Text of the assistant's current activity before it writes. */
  readonly activity: string;
  readonly isLive?: boolean;
}

/** Bubble of an assistant's answer; its renderer is loaded with the first answer. */
function AnswerBubble({ answer, activity, isLive = false }: AnswerBubbleProps) {
  return (
    <div className="max-w-[95%] min-w-0 self-start rounded-lg rounded-bl-sm border bg-raised px-3 py-2 text-sm">
      {answer.text !== "" && (
        <PlainWhenBroken text={answer.text}>
          <Suspense fallback={<p className="break-words whitespace-pre-wrap">{answer.text}</p>}>
            <AnswerView answer={answer} isLive={isLive} />
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

interface PlainWhenBrokenProps {
  /** Text shown verbatim when the children fail to render or load. */
  readonly text: string;
  readonly children: ReactNode;
}

/** Error boundary for one message, so that a render failure does not break the page. */
export class PlainWhenBroken extends Component<
  PlainWhenBrokenProps,
  { readonly hasFailed: boolean }
> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return <p className="break-words whitespace-pre-wrap">{this.props.text}</p>;
  }
}
