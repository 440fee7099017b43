import { NotLoaded } from "../../ui/not-loaded.tsx";
import { getAgentByChat } from "../../../contract/agents.ts";
import { read } from "../../queries/read.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useContext } from "react";
import type { AgentProposal } from "../../../assistant/agent-proposal.ts";
import { clock } from "../../lib/clock.ts";
import { useOwner } from "../../lib/session.ts";
import { defaultNetwork, deploymentQuery } from "../../queries/deployment.ts";
import { simulateAgent, simulationSource } from "../../workers/simulate-agent.ts";
import { proposedAgent } from "../../../assistant/described-agent.ts";
import { ShownChat } from "./shown-messages.ts";
import { simulationResult } from "./assistant/tool-cards.ts";
import { ToolResultCard } from "./tool-result-card.tsx";

const DAYS = 90;

/** Simulated result of a proposal, computed in the page and never written by a model. */
export default function ProposalSimulation({ proposal }: { readonly proposal: AgentProposal }) {
  const owner = useOwner();
  const chatId = useContext(ShownChat);
  const queryClient = useQueryClient();
  const run = useQuery({
    queryKey: [owner, "proposal-simulation", chatId, proposal],
    queryFn: async ({ signal }) => {
      const [agent, deployment] = await Promise.all([
        queryClient.fetchQuery(read(owner, getAgentByChat, { params: { chatId } })),
        queryClient.fetchQuery(deploymentQuery),
      ]);
      const { call } = simulationSource(queryClient, owner);
      const simulated = await proposedAgent(proposal, agent, call);
      if (simulated === null) return null;
      const network = agent?.network ?? defaultNetwork(deployment);
      const plan = { network, agent: simulated, days: DAYS, nowMs: clock.now(), triedBy: owner };
      const { source, report } = await simulateAgent(queryClient, plan, signal);
      const { market, intervalMinutes } = simulated;
      const { measures, sentences: warnings } = report;
      const run = { asset: market.asset, intervalMinutes, days: DAYS, source, measures, warnings };
      return simulationResult(run);
    },
    enabled: owner !== "" && chatId !== "",
    staleTime: Infinity,
    retry: 1,
  });
  if (run.data) return <ToolResultCard result={run.data} />;
  if (run.data === null) return null;
  if (run.isError) {
    return <NotLoaded onRetry={run.refetch}>The proposal could not be simulated.</NotLoaded>;
  }
  return (
    <p role="status" className="text-xs text-muted">
      Simulating the proposal...
    </p>
  );
}
