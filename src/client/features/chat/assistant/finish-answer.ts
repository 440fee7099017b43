import type { QueryClient } from "@tanstack/react-query";
import { isoNow } from "../../../lib/clock.ts";
import { withLock } from "../../../lib/locks.ts";
import { type Answer, encodeAnswer } from "./answer-text.ts";
import { endAnswer, type LiveAnswer, readForeignAnswers } from "./live-answers.ts";
import { deliver, putInOutbox } from "../outbox.ts";
import type { SignedInWallet } from "../../../lib/session.ts";

/** Returns the name of the lock held by the tab that writes the answer. */
export const answerLock = (id: string) => `wheelhouse-answer-${id}`;

/** Moves the written answer to the outbox until the server has stored it. */
export async function finishAnswer(
  answer: LiveAnswer,
  ending: Answer["ending"],
  queryClient: QueryClient,
): Promise<void> {
  const { id, owner, chatId, text, sources, reads, results } = answer;
  if (text.trim() === "") {
    endAnswer(id);
    return;
  }
  const content = encodeAnswer({ text, sources, reads, results, ending });
  const message = { id, type: "ai", content, at: isoNow() } as const;
  putInOutbox({ owner, chatId, status: "pending", message });
  endAnswer(id);
  // The message shows a failure with Retry
  await deliver(id, queryClient).catch(() => {});
}

/** Finishes answers left by closed or reloaded tabs, once no tab holds their lock. */
export function adoptAnswers(owner: SignedInWallet, queryClient: QueryClient): void {
  for (const { id } of readForeignAnswers().filter((answer) => answer.owner === owner)) {
    void withLock(answerLock(id), async () => {
      const left = readForeignAnswers().find((answer) => answer.id === id);
      if (left) await finishAnswer(left, "interrupted", queryClient);
    });
  }
}
