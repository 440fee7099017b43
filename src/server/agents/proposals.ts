import { createHash } from "node:crypto";
import * as z from "zod/mini";
import { encode } from "../../contract/codec.ts";
import { AppError, found } from "../../contract/errors.ts";
import type { Agent } from "../../contract/agent.ts";
import {
  type createProposal,
  MAX_OPEN_PROPOSALS,
  type ProposedAct,
  proposedAct,
} from "../../contract/proposals.ts";
import type { RequestOf } from "../../contract/route.ts";
import { type CompleteDraft, completeDraft } from "../../contract/save-agent.ts";
import { DEFAULT_POSITION_SIZE_PERCENT } from "../../domain/agent-draft.ts";
import { validateAgentDraft } from "../../domain/agent-validation.ts";
import { parseDecimal } from "../../domain/amount.ts";
import type { AgentId, OwnerAddress } from "../../domain/ids.ts";
import type { KnownTradingCosts } from "../../domain/trading-costs.ts";
import { VENUE_PROFILES } from "../../venues/profiles.ts";
import { newId } from "../crypto/new-id.ts";
import type { Session } from "../session.ts";
import { type AgentRecord, findAgent, listAgentsOf } from "../store/agents/agents.ts";
import {
  endProposal,
  insertProposal,
  listOpenProposals,
  type ProposalRow,
} from "../store/agents/proposals.ts";
import { insertAudit } from "../store/audit/audit.ts";
import { findSessionStart } from "../store/auth/sessions.ts";
import { lockWallet } from "../store/chats/chats.ts";
import type { Db } from "../store/postgres/db.ts";
import {
  networkFor,
  requirePriced,
  readLeverageCosts,
  refusePlan,
  refusalOf,
  type AgentDeps,
} from "./agent-changes.ts";
import { changeAgentFields, setOwnerLimits } from "./change-agent-fields.ts";
import { createCompleteAgent } from "./create-agent.ts";
import { lockAgent, updateCompleteAgent } from "./save-agent.ts";
import { approvalOf, type OpenProposal } from "./proposal-words.ts";
import { showAgent } from "./show-agents.ts";

const MINUTE_MS = 60_000;

/** Names the proposer of what the page's own chat stores, by the session: its owner knows when he signed in. */
async function pageChat(db: Db, session: Session): Promise<string> {
  const at = (await findSessionStart(db, session.id))?.toISOString() ?? "";
  return `The page's chat, in a browser signed in on ${at.slice(0, 10)} at ${at.slice(11, 16)} UTC`;
}

/** Fields of a draft that neither the signed text nor the page's list of differences shows. */
const UNSHOWN = [
  "id",
  "hypothesisStatus",
  "buyReportPrompt",
  "sellReportPrompt",
] as const satisfies readonly (keyof CompleteDraft["agent"])[];

const NEW_AGENT = {
  plan: null,
  leverage: 1,
  positionSizePercent: DEFAULT_POSITION_SIZE_PERCENT,
} as const;

/** How an act is stored, which no draft looks like. */
const storedAct = z.strictObject({ act: proposedAct });

function withContent(row: ProposalRow): OpenProposal {
  const change: unknown = JSON.parse(row.change);
  const act = z.safeParse(storedAct, change);
  return act.success
    ? { ...row, act: act.data.act }
    : { ...row, draft: z.parse(completeDraft, change) };
}

/** Dependencies of proposals: turning an agent on or off is the trading room's. */
export interface ProposalDeps extends AgentDeps {
  readonly setAutoTrade: (
    agentId: AgentId,
    by: Session,
    autoTrade: "on" | "off",
  ) => Promise<unknown>;
}

const digestOf = (
  owner: OwnerAddress,
  row: Pick<ProposalRow, "id" | "assistant" | "agentId" | "openedAs" | "change" | "expiresAt">,
): string => {
  const { id, assistant, agentId, openedAs, change, expiresAt } = row;
  const parts = [owner, id, assistant, agentId, openedAs, expiresAt, change];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
};

export const listProposals = async (db: Db, owner: OwnerAddress, now: number) =>
  (await listOpenProposals(db, owner, now)).map(withContent);

/** Returns a wallet's open proposal as it was made; null for none, and for one that was altered where it is stored. */
export async function findProposal(
  db: Db,
  owner: OwnerAddress,
  id: string,
  now: number,
): Promise<OpenProposal | null> {
  const [row] = await listOpenProposals(db, owner, now, id);
  return row === undefined || digestOf(owner, row) !== row.digest ? null : withContent(row);
}

/** Returns the costs that leverage in a proposed draft is checked against; null where it has none, or is no draft. */
async function costsOf(
  deps: AgentDeps,
  { draft, agentId }: Asked,
  wallet: OwnerAddress,
): Promise<KnownTradingCosts | null> {
  const stored = agentId === undefined ? null : await findAgent(deps.db, agentId);
  if (agentId !== undefined && stored?.owner !== wallet) throw new AppError("not_found");
  const checked = draft === undefined ? null : validateAgentDraft(draft, VENUE_PROFILES);
  return draft === undefined || checked?.ok !== true
    ? null
    : readLeverageCosts(deps.networks, draft.agent, stored ?? NEW_AGENT, checked.value.agent);
}

/** Returns a draft as it would be stored, for its agent or a new one; throws what its save would be refused with. */
function checkedDraft(
  deps: AgentDeps,
  draft: CompleteDraft,
  agent: AgentRecord | null,
  costs: KnownTradingCosts | null,
) {
  const unshown = UNSHOWN.filter((name) => draft.agent[name] !== undefined);
  if (unshown.length > 0) {
    const message = `A proposal cannot set ${unshown.join(", ")}: do that in the agent's form.`;
    throw new AppError("validation_failed", { message });
  }
  const checked = validateAgentDraft(draft, VENUE_PROFILES);
  if (!checked.ok) throw refusalOf(checked);
  refusePlan(draft.agent, agent ?? NEW_AGENT, checked.value.agent, costs);
  const network =
    draft.agent.network ??
    agent?.network ??
    networkFor(deps.networks, undefined, checked.value.agent);
  if (checked.value.agent.market.marketId !== agent?.marketId) {
    requirePriced(network, checked.value.agent);
  }
  const whole = { ...draft, agent: { ...draft.agent, network } };
  return {
    name: checked.value.agent.name,
    change: JSON.stringify(encode(completeDraft, whole)),
    proposed: { draft: whole },
  };
}

/** Throws what an act of an agent would be refused with now, before its owner signs anything. */
function refuseAct(act: ProposedAct, { autoTrade, venue }: AgentRecord): void {
  if ((act.kind === "withdraw" || act.kind === "delete") && autoTrade !== "off") {
    throw new AppError("withdraw_while_on");
  }
  if (act.kind !== "deposit" && act.kind !== "withdraw") return;
  if (venue === null || !parseDecimal(act.amount, VENUE_PROFILES[venue].quote.decimals)) {
    throw new AppError("amount_invalid");
  }
}

/** Returns what a proposal stores; exactly one of draft and act is proposed, and an act is an agent's or of all agents. */
function contentOf(
  deps: AgentDeps,
  { draft, act }: Asked,
  agent: AgentRecord | null,
  costs: KnownTradingCosts | null,
) {
  if (draft !== undefined && act === undefined) return checkedDraft(deps, draft, agent, costs);
  const isWhole = act !== undefined && (act.kind === "stop_all") === (agent === null);
  if (!isWhole || draft !== undefined) {
    const message =
      "Propose either a draft, or an act of an agent. Only stop_all is of all agents and names none.";
    throw new AppError("validation_failed", { message });
  }
  if (agent !== null) refuseAct(act, agent);
  return {
    name: agent?.name ?? "all agents",
    change: JSON.stringify({ act }),
    proposed: { act },
  };
}

type Asked = RequestOf<typeof createProposal>["body"];

/**
 * Stores a proposal that would be accepted now; the checks are made again when it is approved. What is open already is
 * returned as it is: a repeated call, or a click after a reload, proposes nothing twice.
 */
export async function propose(
  deps: AgentDeps,
  asked: Asked,
  session: Session,
): Promise<OpenProposal> {
  const { wallet } = session;
  const now = deps.clock.now();
  const assistant = session.assistant ?? (await pageChat(deps.db, session));
  const { agentId, minutes } = asked;
  const costs = await costsOf(deps, asked, wallet);
  return deps.db.transaction().execute(async (tx) => {
    await lockWallet(tx, wallet);
    const agent = agentId === undefined ? null : await findAgent(tx, agentId);
    if (agentId !== undefined && agent?.owner !== wallet) throw new AppError("not_found");
    const { name, change, proposed } = contentOf(deps, asked, agent, costs);
    const open = await listOpenProposals(tx, wallet, now);
    const openedAs = agent?.updatedAt ?? null;
    const same = open.find(
      (each) =>
        each.assistant === assistant &&
        each.agentId === (agentId ?? null) &&
        each.openedAs?.getTime() === openedAs?.getTime() &&
        each.change === change &&
        each.digest === digestOf(wallet, each),
    );
    if (same !== undefined) return { ...same, ...proposed };
    if (open.length >= MAX_OPEN_PROPOSALS) {
      const message = `There are ${MAX_OPEN_PROPOSALS} open proposals. The owner has to approve or decline some first.`;
      throw new AppError("quota_exceeded", { message });
    }
    const row = {
      id: newId(deps.random),
      assistant,
      agentId: agentId ?? null,
      openedAs,
      change,
      createdAt: new Date(now),
      expiresAt: new Date(now + minutes * MINUTE_MS),
    };
    const made = { ...row, digest: digestOf(wallet, row), ...proposed };
    await approvalOf(tx, wallet, made);
    await insertProposal(tx, {
      ...made,
      owner: wallet,
      agentName: agent?.name ?? name,
      madeBy: session.id,
    });
    await audit(tx, "proposal_made", session, made, now);
    return made;
  });
}

const audit = (
  tx: Db,
  action: string,
  by: Session,
  { id, agentId, assistant, digest, act }: Omit<ProposalRow, "change"> & Pick<OpenProposal, "act">,
  at: number,
) => {
  const detail = { proposal: id, assistant, digest, intent: act?.kind };
  return insertAudit(tx, at, by, action, agentId ?? id, detail);
};

const ended = () =>
  new AppError("conflict", {
    message: "This proposal can no longer be approved: it has ended, or was approved or declined.",
  });

/** Does what was proposed and ends the proposal in one transaction; returns the agent, or null for all of them. */
export async function approve(
  deps: ProposalDeps,
  { id, digest }: { readonly id: string; readonly digest: string },
  session: Session,
): Promise<Agent | null> {
  const { wallet } = session;
  const now = deps.clock.now();
  const proposal = await findProposal(deps.db, wallet, id, now);
  if (proposal === null) throw ended();
  if (proposal.digest !== digest) {
    throw new AppError("conflict", { message: "This is not what was proposed. Nothing was done." });
  }
  const end = async (tx: Db) => {
    if (!(await endProposal(tx, wallet, id, "approved", now))) throw ended();
    await audit(tx, "proposal_approved", session, proposal, now);
  };
  const approving: Session = {
    ...session,
    judgeAgain: async (tx) => {
      await session.judgeAgain?.(tx);
      await end(tx);
    },
  };
  const { agentId, draft, act, openedAs } = proposal;
  if (draft === undefined) {
    if (act.kind === "stop_all") return stopAll(deps, end, approving);
    if (agentId === null) throw ended();
    return carryOut(deps, { agentId, act, openedAs, end }, approving);
  }
  const updatedAt = openedAs?.toISOString();
  const saved =
    agentId === null
      ? await createCompleteAgent(deps, draft, approving)
      : await updateCompleteAgent(deps, agentId, { ...draft, updatedAt }, approving);
  return saved.agent;
}

/** Turns every agent of the wallet off, each by itself, so that one that fails does not keep the others on. */
async function stopAll(
  deps: ProposalDeps,
  end: (tx: Db) => Promise<void>,
  approving: Session,
): Promise<null> {
  await deps.db.transaction().execute(end);
  const agents = await listAgentsOf(deps.db, approving.wallet);
  const failed = await Promise.all(
    agents
      .filter(({ autoTrade }) => autoTrade !== "off")
      .map(({ id, name }) =>
        deps.setAutoTrade(id, approving, "off").then(
          () => [],
          () => [name],
        ),
      ),
  );
  if (failed.flat().length === 0) return null;
  const message = `Not stopped: ${failed.flat().join(", ")}. Turn off their auto-trade by hand.`;
  throw new AppError("auto_trade_disable_failed", { message });
}

interface Act {
  readonly agentId: AgentId;
  readonly act: Exclude<ProposedAct, { readonly kind: "stop_all" }>;
  /** When the agent was changed last, as of the proposal. */
  readonly openedAs: Date | null;
  /** Ends the proposal. */
  readonly end: (tx: Db) => Promise<void>;
}

async function carryOut(
  deps: ProposalDeps,
  { agentId, act, openedAs, end }: Act,
  approving: Session,
): Promise<Agent> {
  switch (act.kind) {
    case "deposit":
    case "withdraw":
    case "delete": {
      // Only agreed to: the transactions that the owner signs next are prepared from the chain as it then is
      const agent = await deps.db.transaction().execute(async (tx) => {
        const held = await lockAgent(tx, agentId, approving);
        if (held.updatedAt.getTime() !== openedAs?.getTime()) throw new AppError("agent_changed");
        refuseAct(act, held);
        return held;
      });
      return showAgent(deps, agent);
    }
    case "limits":
      return setOwnerLimits(deps, agentId, act.limits, approving);
    case "prompts": {
      const { buyReportPrompt, sellReportPrompt } = act;
      return changeAgentFields(deps, agentId, { buyReportPrompt, sellReportPrompt }, approving);
    }
    case "auto_trade": {
      // Turning off only tightens: a proposal that ended although it failed can be made again
      if (act.autoTrade === "off") await deps.db.transaction().execute(end);
      await deps.setAutoTrade(agentId, approving, act.autoTrade);
      const agent = found(await findAgent(deps.db, agentId));
      return showAgent(deps, agent);
    }
  }
}

export async function decline(deps: AgentDeps, id: string, session: Session): Promise<void> {
  const { wallet } = session;
  const now = deps.clock.now();
  const proposal = await findProposal(deps.db, wallet, id, now);
  if (!(await endProposal(deps.db, wallet, id, "declined", now))) throw new AppError("not_found");
  if (proposal !== null) await audit(deps.db, "proposal_declined", session, proposal, now);
}
