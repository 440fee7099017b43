import type { Agent } from "../../queries/agent.ts";
import type { Network } from "../../../domain/network.ts";
import type { ChartPreview } from "../../lib/chart-preview.ts";
import type { SimulatedAgent } from "../../../strategy/simulation.ts";

/** An agent as it stands in its dialog, not saved. */
export interface AgentDraft {
  readonly name: string;
  readonly network: Network;
  readonly agent: SimulatedAgent;
}

/** What the tab hands to the simulation. */
export interface SimulationPanelProps {
  readonly address: string;
  readonly chatId: string;
  readonly agent: Agent | null;
  /** Simulated instead of the saved agent, unless the user asks for that one. */
  readonly draft: AgentDraft | null;
  readonly network: Network;
  readonly onOpenAgent: () => void;
  /** Opens the Chart tab with a preview. */
  readonly onShowOnChart: (preview: ChartPreview) => void;
}
