import { ASSETS } from "../venues/profiles.ts";
import * as z from "zod/mini";
import { alertCondition } from "../contract/condition.ts";
import { portion } from "../contract/fields.ts";
import { leverage, plan } from "../contract/plan.ts";
import { checkCondition } from "../domain/condition/check-condition.ts";
import { parseInterval } from "../domain/interval.ts";
import { SIGNALS } from "../domain/signal.ts";
import { VENUE_IDS } from "../domain/venue-id.ts";

const name = z.string().check(z.minLength(1), z.maxLength(100));

/** Agent as a model describes it. It is stored as a proposal; the server's checks and the owner's wallet decide. */
const agentProposal = z.object({
  /** Name of a new agent. */
  name: z.optional(name),
  venue: z.optional(z.enum(VENUE_IDS)),
  /** Asset, for instance SOL; the venue's market of that asset is chosen. */
  asset: z.optional(z.string().check(z.maxLength(20))),
  /** Like 30m, 1h or 3d. */
  interval: z.optional(z.string().check(z.maxLength(12))),
  slippagePercent: z.optional(z.string().check(z.maxLength(12))),
  positionSizePercent: z.optional(z.int().check(z.minimum(1), z.maximum(100))),
  /** What is done with an open position; null: nothing. Absent leaves it unchanged. */
  plan: z.optional(z.nullable(plan)),
  /** Leverage of entries on perpetuals, above 1 only with a stop in percent. Absent leaves it unchanged. */
  leverage: z.optional(leverage),
  alerts: z.optional(
    z
      .array(
        z.object({
          name,
          description: z.optional(z.string().check(z.maxLength(1000))),
          /** Condition that fires the alert; without one the alert comes from outside. */
          condition: z.optional(alertCondition),
        }),
      )
      .check(z.maxLength(50)),
  ),
  /** Complete list of rules; absent leaves the rules unchanged. */
  rules: z.optional(
    z
      .array(
        z.object({
          action: z.enum(SIGNALS),
          /** Percent of the position that a closing rule closes. */
          portion: z.optional(portion),
          conditions: z
            .array(
              z.object({
                alert: name,
                times: z._default(z.int().check(z.minimum(1), z.maximum(60)), 1),
              }),
            )
            .check(z.minLength(1), z.maxLength(20)),
        }),
      )
      .check(z.maxLength(50)),
  ),
});

export type AgentProposal = z.infer<typeof agentProposal>;

/** Info string of the fenced code block that contains a proposal. */
export const PROPOSAL_FENCE = "wheelhouse-agent";

export interface ProposalText {
  /** Answer text without the proposal block. */
  readonly text: string;
  readonly proposal: AgentProposal | null;
  /** True when a proposal block has begun but cannot be parsed, or not yet. */
  readonly isUnreadable: boolean;
}

/** Parses a proposal; null when it is malformed or names an invalid condition. */
export function parseProposal(value: unknown): AgentProposal | null {
  const parsed = z.safeParse(agentProposal, value);
  if (!parsed.success) return null;
  const conditions = (parsed.data.alerts ?? []).flatMap(({ condition }) => condition ?? []);
  const minutes = parseInterval(parsed.data.interval ?? "")?.minutes ?? null;
  const isSound = conditions.every(
    (condition) => checkCondition(condition, minutes, ASSETS) === null,
  );
  return isSound ? parsed.data : null;
}

function parse(json: string): AgentProposal | null {
  try {
    return parseProposal(JSON.parse(json));
  } catch {
    return null;
  }
}

/** Splits the first proposal from an answer. */
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
