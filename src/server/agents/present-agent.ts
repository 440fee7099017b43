import type { Agent } from "../../contract/agent.ts";
import { shownVenue } from "../../domain/venue-id.ts";
import { presentMultisig } from "../custody/present-multisig.ts";
import type { OwnerLimits } from "../../domain/owner-limits.ts";
import type { Networks } from "../networks.ts";
import type { AgentRecord, MultisigRecord } from "../store/agents/agents.ts";

/** Returns the agent in its wire format. */
export function presentAgent(networks: Networks, agent: AgentRecord): Agent {
  return {
    botId: agent.id,
    chatId: agent.chatId,
    agentName: agent.name,
    assetPair: agent.marketId,
    interval: agent.interval,
    venue: shownVenue(agent.venue),
    network: agent.network,
    pubkey: agent.owner,
    tradingStatus: agent.autoTrade === "off" ? "off" : "on",
    stopping: agent.autoTrade === "stopping",
    ...(agent.autoTrade === "off" && agent.closedByStop ? { closedByStop: true as const } : {}),
    slippageTolerance: agent.slippageBps / 100,
    positionSizePercent: agent.positionSizePercent,
    maxSignalAgeSeconds: agent.maxSignalAgeSeconds,
    ...presentLimits(agent.limits),
    ...(agent.subAccountId === null ? {} : { number: agent.subAccountId }),
    ...(isAttached(agent.multisig)
      ? { squadsMultisig: presentMultisig(networks, agent, agent.multisig) }
      : {}),
    hypothesisStatus: agent.hypothesisStatus,
    buyReportPrompt: agent.buyReportPrompt,
    sellReportPrompt: agent.sellReportPrompt,
    updatedAt: agent.updatedAt.toISOString(),
  };
}

/** Returns the owner's limits; empty when none are set. */
function presentLimits(limits: OwnerLimits): Pick<Agent, "limits"> {
  const set = Object.entries(limits).filter(([, limit]) => limit !== null);
  return set.length === 0 ? {} : { limits: Object.fromEntries(set) };
}

/** Returns whether the custody was verified on chain; a planned one does not count as the agent's. */
function isAttached(multisig: MultisigRecord | null): multisig is MultisigRecord {
  return multisig !== null && multisig.status !== "planned";
}
