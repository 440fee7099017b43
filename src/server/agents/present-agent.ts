import type { Agent } from "../../contract/agent.ts";
import { formatSlippagePercent } from "../../domain/slippage.ts";
import { venueForDisplay } from "../../domain/venue-id.ts";
import type { AgentRecord } from "../store/agents.ts";
import type { MultisigRecord } from "../store/multisigs.ts";

/** Returns the agent as answers show it. */
export function presentAgent(agent: AgentRecord): Agent {
  return {
    botId: agent.id,
    chatId: agent.chatId,
    agentName: agent.name,
    assetPair: agent.marketId,
    interval: agent.interval,
    venue: venueForDisplay(agent.venue),
    network: agent.network,
    pubkey: agent.owner,
    tradingStatus: agent.autoTrade === "off" ? "off" : "on",
    stopping: agent.autoTrade === "stopping",
    slippageTolerance: formatSlippagePercent(agent.slippageBps),
    positionSizePercent: agent.positionSizePercent,
    maxSignalAgeSeconds: agent.maxSignalAgeSeconds,
    ...(agent.subAccountId === null ? {} : { number: agent.subAccountId }),
    ...(isAttached(agent.multisig) ? { squadsMultisig: presentMultisig(agent.multisig) } : {}),
    hypothesisStatus: agent.hypothesisStatus,
    buyReportPrompt: agent.buyReportPrompt,
    sellReportPrompt: agent.sellReportPrompt,
  };
}

/** A planned custody is a plan of ours; only what was read back from the chain is the agent's. */
function isAttached(multisig: MultisigRecord | null): multisig is MultisigRecord {
  return multisig !== null && multisig.status !== "planned";
}

function presentMultisig(multisig: MultisigRecord): NonNullable<Agent["squadsMultisig"]> {
  return {
    multisigPda: multisig.multisig,
    vaultPda: multisig.vault,
    vaultIndex: multisig.vaultIndex,
    members: [...multisig.members],
    threshold: multisig.threshold,
    status: multisig.status,
    createdAt: multisig.createdAt.toISOString(),
    ...(multisig.lastUsedAt === null ? {} : { lastUsedAt: multisig.lastUsedAt.toISOString() }),
    spendingLimitConfigured: false,
    venueConfig: { delegate: multisig.delegate, delegated: multisig.delegated },
  };
}
