import * as z from "zod/mini";
import { cleanText } from "../../lib/clean-text.ts";

const footer = z.object({
  sources: z._default(z.array(z.object({ url: z.string(), title: z.string() })), []),
  reads: z._default(z.array(z.string()), []),
  ending: z._default(z.enum(["complete", "stopped", "interrupted"]), "complete"),
});

/** An answer of the assistant with what belongs to it. `reads` says in words what was read for it. */
export interface Answer extends z.infer<typeof footer> {
  readonly text: string;
}

const FENCE = "```wheelhouse-answer";

/** Longest text the server stores, less room for the footer. */
const MAX_TEXT = 90_000;
const MAX_FOOTER = 9_000;

/** Returns the message an answer is stored as: its text, then a footer the model cannot write itself. */
export function encodeAnswer(answer: Answer): string {
  const text = cleanText(answer.text).replaceAll(FENCE, "```").trim();
  const isCut = text.length > MAX_TEXT;
  const ending = isCut && answer.ending === "complete" ? "stopped" : answer.ending;
  const kept = isCut ? text.slice(0, MAX_TEXT).toWellFormed() : text;
  if (answer.sources.length === 0 && answer.reads.length === 0 && ending === "complete") {
    return kept;
  }
  const sources = [...answer.sources];
  const draw = () => cleanText(JSON.stringify({ sources, reads: answer.reads, ending }));
  while (draw().length > MAX_FOOTER && sources.length > 0) sources.pop();
  return `${kept}\n\n${FENCE}\n${draw()}\n\`\`\``;
}

/** Reads a stored answer back. */
export function decodeAnswer(content: string): Answer {
  const at = content.lastIndexOf(`\n\n${FENCE}\n`);
  const plain = { text: content, sources: [], reads: [], ending: "complete" } as const;
  if (at < 0 || !content.endsWith("\n```")) return { ...plain, sources: [], reads: [] };
  try {
    const json: unknown = JSON.parse(content.slice(at + FENCE.length + 3, -4));
    const parsed = z.safeParse(footer, json);
    if (parsed.success) return { text: content.slice(0, at), ...parsed.data };
  } catch {
    // Not ours: shown as it stands
  }
  return { ...plain, sources: [], reads: [] };
}
