import * as z from "zod/mini";
import { alertCondition } from "../../../contract/condition.ts";
import { checkCondition } from "../../../domain/condition/check-condition.ts";
import { SIGNALS } from "../../../domain/signal.ts";
import { VENUE_IDS } from "../../../domain/venue-id.ts";

const name = z.string().check(z.minLength(1), z.maxLength(100));

/** What a model proposes an agent to be. It fills a form; the form's own checks and the user decide. */
const agentProposal = z.object({
  venue: z.optional(z.enum(VENUE_IDS)),
  /** Asset such as SOL; the venue's market of that name is chosen. */
  asset: z.optional(z.string().check(z.maxLength(20))),
  /** Like 30m, 1h or 3d. */
  interval: z.optional(z.string().check(z.maxLength(12))),
  slippagePercent: z.optional(z.string().check(z.maxLength(12))),
  positionSizePercent: z.optional(z.int()),
  alerts: z.optional(
    z
      .array(
        z.object({
          name,
          description: z.optional(z.string().check(z.maxLength(1000))),
          /** What fires it by itself; without one it comes from outside. */
          condition: z.optional(alertCondition),
        }),
      )
      .check(z.maxLength(50)),
  ),
  /** The complete list wanted; absent leaves the rules as they are. */
  rules: z.optional(
    z
      .array(
        z.object({
          action: z.enum(SIGNALS),
          conditions: z
            .array(z.object({ alert: name, times: z._default(z.int(), 1) }))
            .check(z.minLength(1), z.maxLength(20)),
        }),
      )
      .check(z.maxLength(50)),
  ),
});

export type AgentProposal = z.infer<typeof agentProposal>;

/** Language of the code block a proposal comes in. */
export const PROPOSAL_FENCE = "wheelhouse-agent";

export interface ProposalText {
  /** The answer without the proposal. */
  readonly text: string;
  readonly proposal: AgentProposal | null;
  /** A block has begun that cannot be read, or not yet. */
  readonly isUnreadable: boolean;
}

/** Reads what a model proposes; null for what is none, or names a condition that makes no sense. */
export function parseProposal(value: unknown): AgentProposal | null {
  const parsed = z.safeParse(agentProposal, value);
  if (!parsed.success) return null;
  const conditions = (parsed.data.alerts ?? []).flatMap(({ condition }) => condition ?? []);
  return conditions.every((condition) => checkCondition(condition) === null) ? parsed.data : null;
}

function parse(json: string): AgentProposal | null {
  try {
    return parseProposal(JSON.parse(json));
  } catch {
    return null;
  }
}

/** Takes the first proposal out of an answer. */
export function splitProposal(answer: string): ProposalText {
  const opening = new RegExp(`^\`\`\`${PROPOSAL_FENCE}[ \\t]*$`, "m").exec(answer);
  if (!opening) return { text: answer, proposal: null, isUnreadable: false };
  const start = opening.index + opening[0].length;
  const end = /^```[ \t]*$/m.exec(answer.slice(start));
  const before = answer.slice(0, opening.index);
  if (!end) return { text: before.trimEnd(), proposal: null, isUnreadable: true };
  const proposal = parse(answer.slice(start, start + end.index));
  const after = answer.slice(start + end.index + end[0].length);
  const text = `${before.trimEnd()}\n\n${after.trimStart()}`.trim();
  return { text, proposal, isUnreadable: proposal === null };
}
