import { listRules } from "../../../../contract/rules.ts";
import { listAlerts } from "../../../../contract/alerts.ts";
import { read } from "../../../queries/read.ts";
import { VENUE_PROFILES } from "../../../../venues/profiles.ts";
import { DEFAULT_VENUE } from "../../../../domain/venue-id.ts";
import { nameKey } from "../../../../domain/name-key.ts";
import type { AgentProposal } from "../../../lib/ai/agent-proposal.ts";
import type { SimulatedAgent } from "../../../../strategy/simulation.ts";
import { fetchDailyLimits } from "../../../queries/daily-limits.ts";
import { simulatedAgent } from "../../../workers/simulated-agent.ts";
import type { ReadContext } from "./agent-read.ts";

/** Default slippage in percent when neither proposal nor agent has one. */
const USUAL_SLIPPAGE = 0.5;

/**
 * Returns the agent a proposal would trade; fields it leaves out are those of the chat's agent.
 *
 * Null when its market or interval is invalid.
 */
export async function proposedAgent(
  proposal: AgentProposal,
  context: Pick<ReadContext, "queryClient" | "owner" | "agent">,
): Promise<SimulatedAgent | null> {
  const { agent, owner, queryClient } = context;
  const [alerts, rules] =
    agent === null
      ? [[], []]
      : await Promise.all([
          queryClient.fetchQuery(read(owner, listAlerts, { params: { agentId: agent.id } })),
          queryClient.fetchQuery(read(owner, listRules, { params: { agentId: agent.id } })),
        ]);
  const venue = proposal.venue ?? agent?.venue ?? DEFAULT_VENUE;
  const asset = proposal.asset?.toUpperCase().replace(/-PERP$/, "");
  const market = VENUE_PROFILES[venue].markets.find((each) => each.asset.toUpperCase() === asset);
  const proposed = proposal.alerts ?? [];
  const isProposed = (name: string) =>
    proposed.some((alert) => nameKey(alert.name) === nameKey(name));
  const described = {
    venue,
    marketId: asset === undefined ? (agent?.marketId ?? "") : (market?.marketId ?? ""),
    interval: proposal.interval ?? agent?.interval ?? "1h",
    positionSizePercent: proposal.positionSizePercent ?? agent?.positionSizePercent ?? 100,
    slippagePercent: Number(proposal.slippagePercent ?? agent?.slippagePercent ?? USUAL_SLIPPAGE),
    limits: agent?.limits,
    plan: agent?.plan,
    leverage: agent?.leverage,
  };
  const kept = alerts.filter(({ name }) => !isProposed(name));
  const wanted =
    proposal.rules?.map(({ action, portion, conditions }) => ({
      action,
      portion,
      conditions: conditions.map(({ alert, times }) => ({
        alertName: alert,
        requiredCount: times,
      })),
    })) ?? rules;
  const simulated = simulatedAgent(described, [...kept, ...proposed], wanted);
  if (simulated === null) return null;
  const dailyLimits = await fetchDailyLimits(queryClient, owner, agent, simulated.market);
  return { ...simulated, dailyLimits };
}
