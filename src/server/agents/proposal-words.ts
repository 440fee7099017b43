import type { ProposedAct } from "../../contract/proposals.ts";
import type { CompleteDraft } from "../../contract/save-agent.ts";
import { OWNER_LIMIT_NAMES, toOwnerLimits } from "../../domain/owner-limits.ts";
import { DEFAULT_POSITION_SIZE_PERCENT } from "../../domain/agent-draft.ts";
import { validateAgentDraft } from "../../domain/agent-validation.ts";
import { MAX_SIGNAL_AGE_SECONDS } from "../../domain/freshness.ts";
import type { OwnerAddress } from "../../domain/ids.ts";
import { quoteName } from "../../domain/name-key.ts";
import { DEFAULT_SLIPPAGE_BPS } from "../../domain/slippage.ts";
import { VENUE_PROFILES } from "../../venues/profiles.ts";
import { type AgentRecord, findAgent, listAgentsOf } from "../store/agents/agents.ts";
import type { ProposalRow } from "../store/agents/proposals.ts";
import type { Db } from "../store/postgres/db.ts";
import { allOf, draftText, readSetUp, requireFit, setUpText, type Terms } from "./set-up-words.ts";
import { ownerLimitName, ownerLimitSize } from "../../domain/owner-limit-words.ts";

/** What is proposed: a whole agent, or an act. */
export type Proposed =
  | { readonly draft: CompleteDraft; readonly act?: undefined }
  | { readonly draft?: undefined; readonly act: ProposedAct };

/** An open proposal with what it proposes. */
export type OpenProposal = ProposalRow & Proposed;

/**
 * Returns what approving a proposal does, for the wallet to sign: all that the agent trades by afterwards, and the
 * digest of the proposal. Null where its agent is gone; throws where a wallet would not show all of it.
 */
export async function approvalOf(
  db: Db,
  wallet: OwnerAddress,
  proposal: Proposed & Pick<ProposalRow, "agentId" | "assistant" | "digest">,
) {
  const { agentId, draft, act, assistant, digest } = proposal;
  const agent = agentId === null ? null : await findAgent(db, agentId);
  if (draft === undefined) {
    const what = await actText(db, wallet, agent, act);
    if (what === null) return null;
    const change = `${what} ${quoteName(assistant)} proposed this. SHA-256 of the proposal: ${digest}`;
    return { change: requireFit(change), agent, act };
  }
  const checked = validateAgentDraft(draft, VENUE_PROFILES);
  const network = draft.agent.network ?? agent?.network;
  if (!checked.ok || network === undefined || (agentId !== null && agent === null)) return null;
  const { name, market, venue, intervalText, slippageBps } = checked.value.agent;
  const { positionSizePercent, maxSignalAgeSeconds, plan = agent?.plan ?? null } = draft.agent;
  const terms: Terms = {
    marketId: market.marketId,
    venue,
    network,
    interval: intervalText,
    slippageBps: slippageBps ?? agent?.slippageBps ?? DEFAULT_SLIPPAGE_BPS,
    positionSizePercent:
      positionSizePercent ?? agent?.positionSizePercent ?? DEFAULT_POSITION_SIZE_PERCENT,
    leverage: draft.agent.leverage ?? agent?.leverage ?? 1,
    maxSignalAgeSeconds:
      maxSignalAgeSeconds ?? agent?.maxSignalAgeSeconds ?? MAX_SIGNAL_AGE_SECONDS,
    plan,
  };
  const { alerts } = agent === null ? { alerts: [] } : await readSetUp(db, agent.id);
  const what =
    agent === null
      ? `Create the agent ${quoteName(name)}`
      : `Change the agent ${quoteName(agent.name)}${agent.name === name ? "" : `, called ${quoteName(name)} from now on`}`;
  const change = `${what}, as ${quoteName(assistant)} proposed. ${draftText(terms, alerts, checked.value)} SHA-256 of the proposal: ${digest}`;
  return { change: requireFit(change), agent, draft };
}

async function stopAllText(db: Db, wallet: OwnerAddress): Promise<string> {
  const names = (await listAgentsOf(db, wallet))
    .filter(({ autoTrade }) => autoTrade !== "off")
    .map(({ name }) => name);
  return names.length === 0
    ? "Turn off auto-trade of all agents: none is on."
    : `Turn off auto-trade of all agents that are on, ${allOf(names, "agent")}.`;
}

/** Returns what an act does, in words; null where its agent is gone. */
async function actText(
  db: Db,
  wallet: OwnerAddress,
  agent: AgentRecord | null,
  act: ProposedAct,
): Promise<string | null> {
  if (act.kind === "stop_all") return stopAllText(db, wallet);
  if (agent === null) return null;
  const name = quoteName(agent.name);
  const symbol = agent.venue === null ? "" : VENUE_PROFILES[agent.venue].quote.symbol;
  switch (act.kind) {
    case "deposit":
      return `Agree to deposit ${act.amount} ${symbol} from this wallet into the vault of the agent ${name}. No money moves before this wallet has signed that transaction too.`;
    case "withdraw":
      return `Agree to withdraw ${act.amount} ${symbol} from the agent ${name} to this wallet. No money moves before this wallet has signed that transaction too.`;
    case "delete":
      return `Agree to delete the agent ${name} with its rules, its log and its chat. What its vault holds is brought back first, by transactions that this wallet signs too.`;
    case "auto_trade":
      return act.autoTrade === "off"
        ? `Turn off auto-trade of the agent ${name}.`
        : `Turn on auto-trade of the agent ${name}. ${setUpText(agent, await readSetUp(db, agent.id))}`;
    case "prompts":
      return `Replace the texts that hypotheses of the agent ${name} are written with. For buys: ${quoteName(act.buyReportPrompt)}. For sells: ${quoteName(act.sellReportPrompt)}.`;
    case "limits": {
      const after = toOwnerLimits(act.limits);
      const limits = OWNER_LIMIT_NAMES.map((limit) => {
        const [from, to] = [agent.limits[limit], after[limit]].map((size) =>
          ownerLimitSize(limit, size),
        );
        return `${ownerLimitName(limit)} ${from === to ? `stays ${to}` : `from ${from} to ${to}`}`;
      });
      return `Set the limits of the agent ${name}: ${limits.join(", ")}.`;
    }
  }
}
