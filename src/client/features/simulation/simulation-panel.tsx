import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { AgentSimulation } from "./agent-simulation.tsx";
import type { SimulationPanelProps } from "./panel-props.ts";

/** Simulates the chat's agent on history with the production trading code. */
export function SimulationPanel(props: SimulationPanelProps) {
  const { agent, draft, ...rest } = props;
  if (rest.address === "") {
    return <EmptyState title="Please connect your wallet to simulate an agent" />;
  }
  if (agent === null && draft === null) {
    return (
      <EmptyState
        title="No agent to simulate yet"
        action={
          <Button tone="primary" onClick={rest.onOpenAgent}>
            Configure agent
          </Button>
        }
      >
        Give this chat an agent with alerts, conditions and rules: here you see what they would have
        done.
      </EmptyState>
    );
  }
  return <AgentSimulation key={`${rest.chatId} ${agent?.id}`} {...props} />;
}
