import {
  approve,
  decline,
  listProposals,
  type ProposalDeps,
  propose,
} from "../agents/proposals.ts";
import type { OpenProposal } from "../agents/proposal-words.ts";
import type { Handlers } from "../http/handler.ts";

/** Answers the calls that make, show and end what assistants propose. */
export function proposalHandlers(deps: ProposalDeps) {
  return {
    async listProposals({ session }) {
      return (await listProposals(deps.db, session.wallet, deps.clock.now())).map(present);
    },
    async createProposal({ body, session }) {
      const made = await propose(deps, body, session);
      deps.publisher.publish(session.wallet, { topic: "chats" });
      return present(made);
    },
    approveProposal: ({ params, body, session }) =>
      approve(deps, { id: params.id, digest: body.digest }, session),
    declineProposal: ({ params, session }) => decline(deps, params.id, session),
  } satisfies Partial<Handlers>;
}

const present = ({
  id,
  assistant,
  agentId,
  draft,
  act,
  digest,
  createdAt,
  expiresAt,
}: OpenProposal) => ({
  id,
  assistant,
  ...(agentId === null ? {} : { agentId }),
  ...(draft === undefined ? { act } : { draft }),
  digest,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
});
