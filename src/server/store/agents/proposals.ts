import { type AgentId, type OwnerAddress, parseAgentId } from "../../../domain/ids.ts";
import type { Db, Unparsed } from "../postgres/db.ts";
import { isMakerThere } from "../auth/sessions.ts";
import { deletesBefore, on } from "../postgres/on.ts";

/** An open proposal as stored. */
export interface ProposalRow {
  readonly id: string;
  readonly assistant: string;
  readonly agentId: AgentId | null;
  /** When the agent that changes was changed last, as of the proposal; null for a new agent. */
  readonly openedAs: Date | null;
  /** The draft as JSON of the wire, byte for byte as the digest covers it. */
  readonly change: string;
  readonly digest: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

const parsed = ({ agentId, ...row }: Unparsed<ProposalRow>): ProposalRow => ({
  ...row,
  agentId: agentId === null ? null : parseAgentId(agentId),
});

/** Returns a wallet's open proposals, newest first; with an id, at most that one. One ends with what made it. */
export async function listOpenProposals(
  db: Db,
  owner: OwnerAddress,
  now: number,
  id: string | null = null,
): Promise<readonly ProposalRow[]> {
  const rows = await on(db).rows<Unparsed<ProposalRow>>`
    select id, assistant, agent_id as "agentId", opened_as as "openedAs", change, digest,
      created_at as "createdAt", expires_at as "expiresAt"
    from proposals
    where owner = ${owner} and state = 'open' and expires_at > ${new Date(now)}
      and (${id}::text is null or id = ${id}) and ${isMakerThere}
    order by created_at desc`;
  return rows.map(parsed);
}

export async function insertProposal(
  db: Db,
  proposal: ProposalRow & {
    readonly owner: OwnerAddress;
    readonly agentName: string;
    /** Id of the session or token. */
    readonly madeBy: string;
  },
): Promise<void> {
  const { id, owner, assistant, agentId, agentName, openedAs, change, digest } = proposal;
  await on(db).change`
    insert into proposals
      (id, owner, assistant, agent_id, agent_name, opened_as, change, digest, created_at, expires_at, made_by)
    values (${id}, ${owner}, ${assistant}, ${agentId}, ${agentName}, ${openedAs}, ${change}, ${digest},
      ${proposal.createdAt}, ${proposal.expiresAt}, ${proposal.madeBy})`;
}

/** Ends an open proposal; false where it has ended already, so that one is carried out at most once. */
export async function endProposal(
  db: Db,
  owner: OwnerAddress,
  id: string,
  state: "approved" | "declined",
  now: number,
): Promise<boolean> {
  const ended = await on(db).change`
    update proposals set state = ${state}
    where id = ${id} and owner = ${owner} and state = 'open' and expires_at > ${new Date(now)}`;
  return ended === 1;
}

/** Deletes proposals that could no longer be approved at a time. */
export const deleteOldProposals = deletesBefore("proposals", "id", "expires_at");
