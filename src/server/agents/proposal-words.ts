import { DEFAULT_POSITION_SIZE_PERCENT } from "../../domain/agent-draft.ts";
import { validateAgentDraft } from "../../domain/agent-validation.ts";
import { MAX_SIGNAL_AGE_SECONDS } from "../../domain/freshness.ts";
import type { OwnerAddress } from "../../domain/ids.ts";
import { quoteName } from "../../domain/name-key.ts";
import { DEFAULT_SLIPPAGE_BPS } from "../../domain/slippage.ts";
import { VENUE_PROFILES } from "../../venues/profiles.ts";
import { findAgent } from "../store/agents/agents.ts";
import type { Db } from "../store/postgres/db.ts";
import { findProposal } from "./proposals.ts";
import { draftText, readSetUp, type Terms } from "./set-up-words.ts";

/**
 * Returns what approving a proposal does, for the wallet to sign: all that the agent trades by afterwards, and the
 * digest of the proposal. Null for a proposal that has ended or whose agent is gone.
 */
export async function approvalOf(db: Db, wallet: OwnerAddress, id: string, now: number) {
  const proposal = await findProposal(db, wallet, id, now);
  if (proposal === null) return null;
  const { agentId, draft, assistant, digest } = proposal;
  const agent = agentId === null ? null : await findAgent(db, agentId);
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
    leverage: agent?.leverage ?? 1,
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
  return { change, agent, draft };
}
