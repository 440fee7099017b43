import * as z from "zod/mini";
import { cleanText } from "../../../lib/clean-text.ts";

const toolResult = z.object({
  title: z.string(),
  figures: z.array(z.tuple([z.string(), z.string()])),
  /** Sentences about the figures, including warnings. */
  notes: z.array(z.string()),
});

/** Figures computed by a tool and shown verbatim, never written by a model. */
export type ToolResult = z.infer<typeof toolResult>;

/** Prefix of a simulation's title. */
export const SIMULATED = "Simulated: ";

export const toolResults = z._default(z.array(toolResult), []);

const footer = z.object({
  sources: z._default(z.array(z.object({ url: z.string(), title: z.string() })), []),
  reads: z._default(z.array(z.string()), []),
  results: toolResults,
  ending: z._default(
    z.enum(["complete", "stopped", "interrupted", "length", "filtered"]),
    "complete",
  ),
});

/** Assistant's answer with its metadata. `reads` names the data that was read for it. */
export interface Answer extends z.infer<typeof footer> {
  readonly text: string;
}

const FENCE = "```wheelhouse-answer";

/** Maximum answer length in characters: the server's limit minus room for the footer. */
const MAX_TEXT = 90_000;
const MAX_FOOTER = 9_000;

/** Encodes an answer as a message: its text, then a footer that a model's text cannot imitate. */
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

/** Decodes a stored answer. */
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
    // Not an encoded answer: shown verbatim
  }
  return { ...plain, sources: [], reads: [], results: [] };
}
