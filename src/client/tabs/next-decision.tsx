import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { listAlerts } from "../../contract/alerts.ts";
import type { Agent } from "../../contract/agent.ts";
import { listRules } from "../../contract/rules.ts";
import NextDecision from "../features/agent/signals/next-decision.tsx";
import { runPreview } from "../features/results/simulation/trade-preview.ts";
import type { ChartPreview } from "../lib/chart-preview.ts";
import { clock } from "../lib/clock.ts";
import { useOwner } from "../lib/session.ts";
import { toastError, toastNote } from "../lib/toast.ts";
import { read } from "../queries/read.ts";
import { Button } from "../ui/button.tsx";
import { simulateAgent } from "../workers/simulate-agent.ts";
import { simulatedAgent } from "../../assistant/simulated-agent.ts";

const DAYS = 7;

interface AgentsNextDecisionProps {
  readonly agent: Agent;
  readonly isOpen?: boolean;
  /** Opens the Chart tab with a preview. */
  readonly onShowOnChart: (preview: ChartPreview) => void;
}

/** Countdown to the agent's next decision, with its last week to watch; nothing without conditions of its own. */
export default function AgentsNextDecision(props: AgentsNextDecisionProps) {
  const { agent, isOpen, onShowOnChart } = props;
  return (
    <NextDecision agent={agent} isOpen={isOpen}>
      <WatchLastWeek agent={agent} onShowOnChart={onShowOnChart} />
    </NextDecision>
  );
}

/** Simulates the agent over the last seven days and plays them on the chart. */
function WatchLastWeek({ agent, onShowOnChart }: Omit<AgentsNextDecisionProps, "isOpen">) {
  const address = useOwner();
  const client = useQueryClient();
  const watch = useMutation({
    async mutationFn() {
      const of = { params: { agentId: agent.id } };
      const [alerts, rules] = await Promise.all([
        client.fetchQuery(read(address, listAlerts, of)),
        client.fetchQuery(read(address, listRules, of)),
      ]);
      const simulated = simulatedAgent(agent, alerts, rules);
      if (simulated === null) throw new Error("The agent's market or interval is unknown");
      const { network } = agent;
      return simulateAgent(client, { network, agent: simulated, days: DAYS, nowMs: clock.now() });
    },
    onSuccess(report) {
      if (report.request.columns.openTimeMs.length > 0) {
        return onShowOnChart(runPreview(report));
      }
      toastNote({ title: "No candles", message: "There is no history of this market to play." });
    },
    onError: toastError,
  });
  return (
    <Button size="small" busy={watch.isPending} onClick={() => watch.mutate()}>
      <Play aria-hidden />
      Watch last week
    </Button>
  );
}
