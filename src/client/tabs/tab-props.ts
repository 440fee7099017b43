import type { ChatId } from "../../domain/ids.ts";
import type { Network } from "../../domain/network.ts";
import type { ChartPreview } from "../lib/chart-preview.ts";
import type { Agent } from "../../contract/agent.ts";

/** Props of every workspace tab. */
export interface TabProps {
  /** Chat on screen, empty when none is. */
  readonly chatId: ChatId | "";
  /** The chat's agent, null when it has none. */
  readonly agent: Agent | null;
  /** Network of the agent, or the one a new agent would start on. */
  readonly network: Network;
  /** Opens the decision graph of a trade log entry. */
  readonly onShowDecision: (entryId: string) => void;
  /** Opens the Chart tab with a preview. */
  readonly onShowOnChart: (preview: ChartPreview) => void;
}
