import type { ChatId } from "../../domain/ids.ts";
import type { Agent } from "../queries/agent.ts";
import type { AgentFile } from "../../contract/agent-file.ts";
import type { Network } from "../../domain/network.ts";
import type { ChartPreview } from "../lib/chart-preview.ts";

/** Props of every workspace tab. */
export interface TabProps {
  /** Chat on screen, empty when none is. */
  readonly chatId: ChatId | "";
  /** The chat's agent, null when it has none. */
  readonly agent: Agent | null;
  /** Network of the agent, or the one a new agent would start on. */
  readonly network: Network;
  /** Opens the agent dialog of the chat on screen. */
  readonly onOpenAgent: () => void;
  /** Opens the agent dialog filled from a file, with the changes it makes. */
  readonly onAgentFile: (file: AgentFile) => void;
  /** Opens the dialog of the first deposit. */
  readonly onOpenDeposit: () => void;
  /** Opens the confirmation for turning Auto-Trade off. */
  readonly onStop: () => void;
  /** Opens the Auto-Hypothesis settings. */
  readonly onOpenHypothesis: () => void;
  /** Opens the decision graph of a trade log entry. */
  readonly onShowDecision: (entryId: string) => void;
  /** Opens the Chart tab with a preview. */
  readonly onShowOnChart: (preview: ChartPreview) => void;
  /** Opens the export dialog. */
  readonly onExport: () => void;
  /** Opens the deletion of the chat on screen. */
  readonly onDelete: () => void;
}
