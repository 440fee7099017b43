import type { Agent } from "../queries/agent.ts";
import type { AgentFile } from "../../contract/agent-file.ts";
import type { Network } from "../../domain/network.ts";
import type { ChartPreview } from "../lib/chart-preview.ts";

/** What the workspace hands to every tab. */
export interface TabProps {
  /** Signed-in wallet, empty when nobody is signed in. */
  readonly address: string;
  /** Chat on screen, empty when none is. */
  readonly chatId: string;
  /** The chat's agent, null when it has none. */
  readonly agent: Agent | null;
  /** Network of the agent, or the one a new agent would start on. */
  readonly network: Network;
  /** Opens the agent dialog of the chat on screen. */
  readonly onOpenAgent: () => void;
  /** Opens the agent dialog with a file filled in, and what that changes. */
  readonly onAgentFile: (file: AgentFile) => void;
  /** Opens the dialog of the first deposit. */
  readonly onOpenDeposit: () => void;
  /** Asks whether the agent's Auto-Trade shall be turned off. */
  readonly onStop: () => void;
  /** Opens where the agent's Auto-Hypothesis is turned on. */
  readonly onOpenHypothesis: () => void;
  /** Opens the graph of why a line of the trade log came to be. */
  readonly onShowDecision: (entryId: string) => void;
  /** Opens the Chart tab with a preview. */
  readonly onShowOnChart: (preview: ChartPreview) => void;
  /** Opens the ways to take trades and ledger out of here. */
  readonly onExport: () => void;
  /** Opens the deletion of the chat on screen. */
  readonly onDelete: () => void;
}
