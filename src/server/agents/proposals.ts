import { createHash } from "node:crypto";
import * as z from "zod/mini";
import { encode } from "../../contract/codec.ts";
import { AppError } from "../../contract/errors.ts";
import { type createProposal, MAX_OPEN_PROPOSALS } from "../../contract/proposals.ts";
import type { RequestOf } from "../../contract/route.ts";
import { type CompleteDraft, completeDraft } from "../../contract/save-agent.ts";
import { DEFAULT_POSITION_SIZE_PERCENT } from "../../domain/agent-draft.ts";
import { validateAgentDraft } from "../../domain/agent-validation.ts";
import type { OwnerAddress } from "../../domain/ids.ts";
import { VENUE_PROFILES } from "../../venues/profiles.ts";
import { newId } from "../crypto/new-id.ts";
import type { Session } from "../session.ts";
import { type AgentRecord, findAgent } from "../store/agents/agents.ts";
import {
  endProposal,
  insertProposal,
  listOpenProposals,
  type ProposalRow,
} from "../store/agents/proposals.ts";
import { insertAudit } from "../store/audit/audit.ts";
import { lockWallet } from "../store/chats/quotas.ts";
import type { Db } from "../store/postgres/db.ts";
import { networkFor, refusePlan } from "./agent-changes.ts";
import type { AgentDeps } from "./agent-deps.ts";
import { createCompleteAgent } from "./create-agent.ts";
import { refusalOf } from "./refuse.ts";
import { updateCompleteAgent } from "./save-agent.ts";

const MINUTE_MS = 60_000;

/** Proposer of what the page's own chat stores. */
const PAGE_CHAT = "The page's chat";

/** Fields of a draft that neither the signed text nor the page's list of differences shows. */
const UNSHOWN = [
  "id",
  "leverage",
  "hypothesisStatus",
  "buyReportPrompt",
  "sellReportPrompt",
] as const satisfies readonly (keyof CompleteDraft["agent"])[];

const NEW_AGENT = {
  plan: null,
  leverage: 1,
  positionSizePercent: DEFAULT_POSITION_SIZE_PERCENT,
} as const;

/** An open proposal with its draft. */
export interface OpenProposal extends ProposalRow {
  readonly draft: CompleteDraft;
}

const withDraft = (row: ProposalRow): OpenProposal => ({
  ...row,
  draft: z.parse(completeDraft, JSON.parse(row.change)),
});

const digestOf = (
  owner: OwnerAddress,
  row: Pick<ProposalRow, "id" | "assistant" | "agentId" | "openedAs" | "change" | "expiresAt">,
): string => {
  const { id, assistant, agentId, openedAs, change, expiresAt } = row;
  const parts = [owner, id, assistant, agentId, openedAs, expiresAt, change];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
};

export const listProposals = async (db: Db, owner: OwnerAddress, now: number) =>
  (await listOpenProposals(db, owner, now)).map(withDraft);

/** Returns a wallet's open proposal as it was made; null for none, and for one that was altered where it is stored. */
export async function findProposal(
  db: Db,
  owner: OwnerAddress,
  id: string,
  now: number,
): Promise<OpenProposal | null> {
  const [row] = await listOpenProposals(db, owner, now, id);
  return row === undefined || digestOf(owner, row) !== row.digest ? null : withDraft(row);
}

/** Stores a proposal that would be accepted now; the checks are made again when it is approved. */
export async function propose(
  deps: AgentDeps,
  { agentId, draft, minutes }: RequestOf<typeof createProposal>["body"],
  { wallet, assistant = PAGE_CHAT }: Session,
): Promise<OpenProposal> {
  const unshown = UNSHOWN.filter((name) => draft.agent[name] !== undefined);
  if (unshown.length > 0) {
    const message = `A proposal cannot set ${unshown.join(", ")}: do that in the agent's form.`;
    throw new AppError("validation_failed", { message });
  }
  const checked = validateAgentDraft(draft, VENUE_PROFILES);
  if (!checked.ok) throw refusalOf(checked);
  const now = deps.clock.now();
  const networkOf = (agent: AgentRecord | null) =>
    agent?.network ?? networkFor(deps.networks, undefined, checked.value.agent);
  return deps.db.transaction().execute(async (tx) => {
    await lockWallet(tx, wallet);
    const agent = agentId === undefined ? null : await findAgent(tx, agentId);
    if (agentId !== undefined && agent?.owner !== wallet) throw new AppError("not_found");
    refusePlan(draft.agent, agent ?? NEW_AGENT, checked.value.agent);
    if ((await listOpenProposals(tx, wallet, now)).length >= MAX_OPEN_PROPOSALS) {
      const message = `There are ${MAX_OPEN_PROPOSALS} open proposals. The owner has to approve or decline some first.`;
      throw new AppError("quota_exceeded", { message });
    }
    const { network = networkOf(agent) } = draft.agent;
    const whole = { ...draft, agent: { ...draft.agent, network } };
    const row = {
      id: newId(deps.random),
      assistant,
      agentId: agentId ?? null,
      openedAs: agent?.updatedAt ?? null,
      change: JSON.stringify(encode(completeDraft, whole)),
      createdAt: new Date(now),
      expiresAt: new Date(now + minutes * MINUTE_MS),
    };
    const proposal = { ...row, digest: digestOf(wallet, row) };
    const agentName = agent?.name ?? checked.value.agent.name;
    await insertProposal(tx, { ...proposal, owner: wallet, agentName });
    await audit(tx, "proposal_made", wallet, proposal, now);
    return { ...proposal, draft: whole };
  });
}

const audit = (
  tx: Db,
  action: string,
  wallet: OwnerAddress,
  { id, agentId, assistant, digest }: Omit<ProposalRow, "change">,
  at: number,
) =>
  insertAudit(tx, {
    at,
    wallet,
    action,
    object: agentId ?? id,
    detail: { proposal: id, assistant, digest },
  });

const ended = () =>
  new AppError("conflict", {
    message: "This proposal can no longer be approved: it has ended, or was approved or declined.",
  });

/** Does what was proposed and ends the proposal in one transaction; returns the saved agent. */
export async function approve(
  deps: AgentDeps,
  { id, digest }: { readonly id: string; readonly digest: string },
  session: Session,
) {
  const { wallet } = session;
  const now = deps.clock.now();
  const proposal = await findProposal(deps.db, wallet, id, now);
  if (proposal === null) throw ended();
  if (proposal.digest !== digest) {
    throw new AppError("conflict", { message: "This is not what was proposed. Nothing was done." });
  }
  const approving: Session = {
    ...session,
    judgeAgain: async (tx) => {
      await session.judgeAgain?.(tx);
      if (!(await endProposal(tx, wallet, id, "approved", now))) throw ended();
      await audit(tx, "proposal_approved", wallet, proposal, now);
    },
  };
  const { agentId, draft, openedAs } = proposal;
  const updatedAt = openedAs?.toISOString();
  const saved =
    agentId === null
      ? await createCompleteAgent(deps, draft, approving)
      : await updateCompleteAgent(deps, agentId, { ...draft, updatedAt }, approving);
  return saved.agent;
}

export async function decline(deps: AgentDeps, id: string, { wallet }: Session): Promise<void> {
  const now = deps.clock.now();
  const proposal = await findProposal(deps.db, wallet, id, now);
  if (!(await endProposal(deps.db, wallet, id, "declined", now))) throw new AppError("not_found");
  if (proposal !== null) await audit(deps.db, "proposal_declined", wallet, proposal, now);
}
