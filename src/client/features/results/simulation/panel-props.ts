import type { ChatId } from "../../../../domain/ids.ts";
import type { Agent } from "../../../../contract/agent.ts";
import type { Network } from "../../../../domain/network.ts";
import type { ChartPreview } from "../../../lib/chart-preview.ts";
import type { SimulatedAgent } from "../../../../strategy/simulation.ts";

/** Unsaved agent of the dialog. */
export interface AgentDraft {
  readonly name: string;
  readonly network: Network;
  readonly agent: SimulatedAgent;
}

/** Props of the simulation panel. */
export interface SimulationPanelProps {
  readonly chatId: ChatId | "";
  readonly agent: Agent | null;
  /** Draft simulated instead of the saved agent, unless the user chooses the saved one. */
  readonly draft: AgentDraft | null;
  readonly network: Network;
  /** Opens the Chart tab with a preview. */
  readonly onShowOnChart: (preview: ChartPreview) => void;
}
