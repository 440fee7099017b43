import type { Agent } from "../../queries/agent.ts";
import type { Network } from "../../../domain/network.ts";

/** What the tab hands to the simulation. */
export interface SimulationPanelProps {
  readonly address: string;
  readonly chatId: string;
  readonly agent: Agent | null;
  readonly network: Network;
  readonly onOpenAgent: () => void;
}
