import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Agent } from "../../../contract/agent.ts";
import type { Network } from "../../../domain/network.ts";
import { clock } from "../../lib/clock.ts";
import { alertsQuery } from "../../queries/alerts.ts";
import { rulesQuery } from "../../queries/rules.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Field } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { simulatedAgent } from "../../workers/simulated-agent.ts";
import { simulateAgent } from "../../workers/simulate-agent.ts";
import type { Assumptions } from "./assumption-form.ts";
import { SimulationView } from "./simulation-result.tsx";

interface SimulationPanelProps {
  readonly address: string;
  readonly agent: Agent | null;
  readonly network: Network;
  readonly onOpenAgent: () => void;
}

const SPANS = [
  { value: "30", label: "1 month" },
  { value: "90", label: "3 months" },
  { value: "180", label: "6 months" },
  { value: "365", label: "1 year" },
  { value: "730", label: "2 years" },
] as const;

/** Runs the chat's agent over the past, with the code that trades. */
export function SimulationPanel({ address, agent, network, onOpenAgent }: SimulationPanelProps) {
  if (address === "") {
    return <EmptyState title="Please connect your wallet to simulate an agent" />;
  }
  if (agent === null) {
    return (
      <EmptyState
        title="No agent to simulate yet"
        action={
          <Button tone="primary" onClick={onOpenAgent}>
            Configure agent
          </Button>
        }
      >
        Give this chat an agent with alerts, conditions and rules: here you see what they would have
        done.
      </EmptyState>
    );
  }
  return (
    <AgentSimulation
      key={agent.botId}
      address={address}
      agent={agent}
      network={network}
      onOpenAgent={onOpenAgent}
    />
  );
}

function AgentSimulation(props: SimulationPanelProps & { readonly agent: Agent }) {
  const { address, agent, network, onOpenAgent } = props;
  const alerts = useQuery(alertsQuery(address, agent.botId));
  const rules = useQuery(rulesQuery(address, agent.botId));
  const [days, setDays] = useState("365");
  const [assumed, setAssumed] = useState<Assumptions | null>(null);
  const [nowMs, setNowMs] = useState(() => clock.now());
  const client = useQueryClient();
  const simulated =
    alerts.data === undefined || rules.data === undefined
      ? null
      : simulatedAgent(agent, alerts.data, rules.data);
  const hasConditions = simulated?.alerts.some(({ condition }) => condition !== undefined) === true;
  const run = useQuery({
    queryKey: ["simulation", network, simulated, days, nowMs, keyOf(assumed)],
    queryFn: ({ signal }) => {
      if (simulated === null) throw new Error("Nothing to simulate yet");
      return simulateAgent(
        client,
        { network, agent: simulated, days: Number(days), nowMs, ...assumed },
        signal,
      );
    },
    enabled: hasConditions,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
    structuralSharing: false,
    // Typed numbers change the result in place; the page does not jump back to a spinner
    placeholderData: (previous) => previous,
  });
  if (alerts.isError || rules.isError) {
    return (
      <EmptyState
        title="The agent could not be loaded"
        action={
          <Button onClick={() => void Promise.all([alerts.refetch(), rules.refetch()])}>
            Retry
          </Button>
        }
      />
    );
  }
  return (
    <div className="flex h-full min-h-0 flex-col bg-surface">
      <header className="flex flex-wrap items-center gap-3 border-b px-4 py-2.5">
        <h2 className="text-sm font-medium">Simulate {agent.agentName}</h2>
        <span className="text-xs text-muted">as it is saved</span>
        <Field label="History" hideLabel className="ml-auto w-32">
          <Select value={days} onValueChange={setDays} groups={[{ options: SPANS }]} />
        </Field>
        <Button busy={run.isFetching} onClick={() => setNowMs(clock.now())}>
          Run again
        </Button>
      </header>
      <div className="min-h-0 grow overflow-y-auto p-4" aria-busy={run.isFetching}>
        {simulated !== null && !hasConditions ? (
          <EmptyState
            title="None of its alerts has a condition"
            action={
              <Button tone="primary" onClick={onOpenAgent}>
                Configure agent
              </Button>
            }
          >
            Alerts from outside have no history here. Give one a built-in condition to see what it
            would have done.
          </EmptyState>
        ) : run.isError ? (
          <EmptyState
            title="The simulation could not be run"
            action={<Button onClick={() => void run.refetch()}>Retry</Button>}
          >
            {run.error.message}
          </EmptyState>
        ) : run.data === undefined ? (
          <div className="flex h-full items-center justify-center text-sm text-muted">
            <Spinner label="Loading the history and trading it..." />
          </div>
        ) : run.data.report.result.times.length === 0 ? (
          <EmptyState title="Too little history">
            The source has no bars beyond the {run.data.report.result.warmUpBars} that warm the
            indicators up. Choose a longer history.
          </EmptyState>
        ) : (
          <SimulationView done={run.data} onApply={setAssumed} />
        )}
      </div>
    </div>
  );
}

const keyOf = (assumed: Assumptions | null) =>
  assumed === null ? null : { ...assumed, startMoney: `${assumed.startMoney}` };
