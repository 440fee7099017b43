import { useLayoutEffect, useMemo } from "react";
import { useStore } from "zustand";
import type { AgentProposal } from "../../lib/ai/agent-proposal.ts";
import type { Message } from "../../queries/messages.ts";
import { AnswerBubble } from "./answer-bubble.tsx";
import { type Answer, decodeAnswer } from "./answer-text.ts";
import { answers, type LiveAnswer } from "./live-answers.ts";

interface MessageAnswerProps {
  readonly message: Message;
  /** Called before the answer renders with more text. */
  readonly onGrow: () => void;
  readonly onProposal: (proposal: AgentProposal) => void;
}

const answerOf = ({ text, sources, reads, results }: LiveAnswer): Answer => ({
  text,
  sources,
  reads,
  results,
  ending: "complete",
});

/** Answer from first word to stored message; a stream rerenders only this component. */
export function MessageAnswer({ message, onGrow, onProposal }: MessageAnswerProps) {
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
      onProposal={onProposal}
    />
  );
}
