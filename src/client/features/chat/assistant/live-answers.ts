import * as z from "zod/mini";
import { createStore } from "zustand/vanilla";
import { chatId, ownerAddress } from "../../../../contract/fields.ts";
import type { ChatId } from "../../../../domain/ids.ts";
import { storedEntries } from "../../../lib/stored.ts";
import { toolResults } from "./answer-text.ts";

const liveAnswer = z.object({
  id: z.string(),
  owner: ownerAddress,
  chatId,
  /** Text of the current activity; empty while text is written. */
  activity: z.string(),
  text: z.string(),
  sources: z.array(z.object({ url: z.string(), title: z.string() })),
  reads: z.array(z.string()),
  results: toolResults,
});

/** Answer being written. */
export type LiveAnswer = z.infer<typeof liveAnswer>;

const answerProblem = z.object({
  title: z.string(),
  message: z.string(),
  isAboutKey: z.boolean(),
});

export type AnswerProblem = z.infer<typeof answerProblem>;

const storedProblems = storedEntries("chat-problems", 1, answerProblem);
const stored = storedEntries("chat-answers", 1, liveAnswer);

interface Answers {
  readonly live: readonly LiveAnswer[];
  /** Why a message has no answer, or an answer no end, by the message's id; kept across reloads. */
  readonly problems: Readonly<Record<string, AnswerProblem>>;
}

/** Answers being written by any tab, and problems. */
export const answers = createStore<Answers>(() => ({
  live: [...stored.read().values()],
  problems: Object.fromEntries(storedProblems.read()),
}));

/** Answers this tab writes, with their stop functions. */
const own = new Map<string, { readonly stop: () => void }>();

/** Interval for storing partial text for other tabs and reloads, in milliseconds; long texts cost more to store. */
const KEEP_MS = 250;
const KEEP_MS_PER_CHARACTER = 1 / 80;
let keepTimer: ReturnType<typeof setTimeout> | undefined;

function keepNow(): void {
  clearTimeout(keepTimer);
  keepTimer = undefined;
  for (const answer of answers.getState().live) {
    if (own.has(answer.id)) stored.write(answer.id, answer);
  }
}

globalThis.addEventListener?.("storage", ({ key }) => {
  if (key !== null && stored.idOf(key) === null) return;
  answers.setState(({ live }) => ({
    live: [...live.filter(({ id }) => own.has(id)), ...readForeignAnswers()],
  }));
});
globalThis.addEventListener?.("pagehide", () => own.size > 0 && keepNow());

export function beginAnswer(answer: LiveAnswer, stop: () => void): void {
  own.set(answer.id, { stop });
  answers.setState(({ live }) => ({ live: [...live, answer] }));
  keepNow();
}

export function changeAnswer(id: string, change: Partial<LiveAnswer>): void {
  answers.setState(({ live }) => ({
    live: live.map((answer) => (answer.id === id ? { ...answer, ...change } : answer)),
  }));
  const pauseMs = Math.max(KEEP_MS, (change.text?.length ?? 0) * KEEP_MS_PER_CHARACTER);
  keepTimer ??= setTimeout(keepNow, pauseMs);
}

/** Removes an answer that moved to the outbox or was discarded. */
export function endAnswer(id: string): void {
  own.delete(id);
  answers.setState(({ live }) => ({ live: live.filter((answer) => answer.id !== id) }));
  stored.remove(id);
}

export function tellProblem(messageId: string, problem: AnswerProblem): void {
  storedProblems.write(messageId, problem);
  answers.setState(({ problems }) => ({ problems: { ...problems, [messageId]: problem } }));
}

/** Forgets the problem of a message that is asked again, or deleted. */
export function forgetProblem(messageId: string): void {
  storedProblems.remove(messageId);
  answers.setState(({ problems: { [messageId]: _gone, ...problems } }) => ({ problems }));
}

/** Stops the chat's answer when this tab writes it. */
export function stopAnswer(chatId: ChatId | ""): void {
  for (const { id } of answers.getState().live.filter((each) => each.chatId === chatId)) {
    own.get(id)?.stop();
  }
}

/** Stops every answer of this tab; called when the wallet changes. */
export function stopAllAnswers(): void {
  for (const { stop } of own.values()) stop();
}

/** Returns stored answers that this tab does not write: another tab's or abandoned ones. */
export function readForeignAnswers(): readonly LiveAnswer[] {
  return [...stored.read().values()].filter(({ id }) => !own.has(id));
}
