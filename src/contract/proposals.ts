import * as z from "zod/mini";
import { agent } from "./agent.ts";
import { agentId, decimalText, isoTime, onOff, serverId, text, ownerLimits } from "./fields.ts";
import { READS, free, route } from "./route.ts";
import { completeDraft } from "./save-agent.ts";

/** Largest number of open proposals of a wallet. */
export const MAX_OPEN_PROPOSALS = 20;

/** What is proposed beside an agent's set-up: for one agent, or `stop_all` for all of the wallet's. */
export const proposedAct = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("auto_trade"), autoTrade: onOff }),
  /** All limits as they would be; absent ones are removed. */
  z.strictObject({ kind: z.literal("limits"), limits: ownerLimits }),
  z.strictObject({
    kind: z.literal("prompts"),
    buyReportPrompt: text(10_000),
    sellReportPrompt: text(10_000),
  }),
  /** Whole quote units, for instance "8.2". The money moves once the wallet has signed the transaction too. */
  z.strictObject({ kind: z.enum(["deposit", "withdraw"]), amount: decimalText }),
  z.strictObject({ kind: z.literal("delete") }),
  z.strictObject({ kind: z.literal("stop_all") }),
]);

export type ProposedAct = z.infer<typeof proposedAct>;

const digest = z.string().check(z.regex(/^[0-9a-f]{64}$/));

/** A change that an assistant proposes; nothing of it holds before the wallet has signed it. */
const proposal = z.strictObject({
  id: serverId,
  /** Name of the assistant, as its owner gave it. */
  assistant: z.string(),
  /** Agent that changes; absent for a new one and for all agents. */
  agentId: z.optional(agentId),
  /** The whole agent as it would be saved; absent where an act is proposed. */
  draft: z.optional(completeDraft),
  act: z.optional(proposedAct),
  /** SHA-256 of everything proposed, in hex; what is approved names it. */
  digest,
  createdAt: isoTime,
  expiresAt: isoTime,
});

/** The wallet's open proposals, newest first. */
export const listProposals = route("GET", "/api/proposals", {
  ...READS,
  access: { kind: "session" },
  staleOn: ["chats", "proposals"],
  response: z.array(proposal),
});

/** Stores a proposal. One for an agent is bound to the agent's present state. */
export const createProposal = route("POST", "/api/proposals", {
  ...free("It is stored for the owner to look at, and holds only once the wallet has signed it."),
  access: { kind: "session" },
  changes: ["proposals"],
  body: z.strictObject({
    agentId: z.optional(agentId),
    /** Either a draft, or an act. */
    draft: z.optional(completeDraft),
    act: z.optional(proposedAct),
    /** Time after which it can no longer be approved. */
    minutes: z._default(z.int().check(z.minimum(10), z.maximum(1_440)), 1_440),
  }),
  status: 201,
  response: proposal,
});

/**
 * Does exactly what was proposed. Refused once the proposal has ended or its agent was changed. A deposit, withdrawal or
 * deletion is agreed to: the owner then signs its transactions as for one that nobody proposed. Null for all agents.
 */
export const approveProposal = route("POST", "/api/proposals/:id/approve", {
  bearer: "approved_proposal",
  access: { kind: "session" },
  changes: ["agent", "chats", "proposals"],
  params: z.strictObject({ id: serverId }),
  body: z.strictObject({ digest }),
  response: z.nullable(agent),
});

export const declineProposal = route("POST", "/api/proposals/:id/decline", {
  ...free("It only ends what was never done."),
  access: { kind: "session" },
  changes: ["proposals"],
  params: z.strictObject({ id: serverId }),
});
