import * as z from "zod/mini";
import { cleanText } from "../../lib/clean-text.ts";

const toolResult = z.object({
  title: z.string(),
  figures: z.array(z.tuple([z.string(), z.string()])),
  /** Sentences that go with the figures, warnings among them. */
  notes: z.array(z.string()),
});

/** Figures a tool computed, shown as they are: no model wrote them. */
export type ToolResult = z.infer<typeof toolResult>;

/** How the title of a simulation begins. */
export const SIMULATED = "Simulated: ";

export const toolResults = z._default(z.array(toolResult), []);

const footer = z.object({
  sources: z._default(z.array(z.object({ url: z.string(), title: z.string() })), []),
  reads: z._default(z.array(z.string()), []),
  results: toolResults,
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
  const { reads } = answer;
  const isBare = answer.sources.length + reads.length + answer.results.length === 0;
  if (isBare && ending === "complete") return kept;
  const [sources, results] = [[...answer.sources], [...answer.results]];
  const draw = () => cleanText(JSON.stringify({ sources, reads, results, ending }));
  while (draw().length > MAX_FOOTER && sources.length > 0) sources.pop();
  while (draw().length > MAX_FOOTER && results.length > 0) results.shift();
  return `${kept}\n\n${FENCE}\n${draw()}\n\`\`\``;
}

/** Reads a stored answer back. */
export function decodeAnswer(content: string): Answer {
  const at = content.lastIndexOf(`\n\n${FENCE}\n`);
  const plain = { text: content, ending: "complete" } as const;
  if (at < 0 || !content.endsWith("\n```"))
    return { ...plain, sources: [], reads: [], results: [] };
  try {
    const json: unknown = JSON.parse(content.slice(at + FENCE.length + 3, -4));
    const parsed = z.safeParse(footer, json);
    if (parsed.success) return { text: content.slice(0, at), ...parsed.data };
  } catch {
    // Not ours: shown as it stands
  }
  return { ...plain, sources: [], reads: [], results: [] };
}
