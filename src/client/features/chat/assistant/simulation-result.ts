import { formatShare } from "../../../lib/format.ts";
import type { AgentReport } from "../../../workers/simulate-agent.ts";
import { SIMULATED, type ToolResult } from "./answer-text.ts";

const percent = (share: number | null): string =>
  share === null ? "–" : `${Math.abs(100 * share).toFixed(1)}%`;

const change = (share: number | null): string => formatShare(share, 1);

const plain = (value: number | null): string =>
  value === null ? "–" : value.toFixed(2).replace("-", "−");

/** Returns a simulation's key figures and all its warnings for the chat. */
export function simulationResult(run: AgentReport, days: number): ToolResult {
  const { measures, sentences } = run.report;
  const { market, intervalMinutes } = run.request.agent;
  const minutes = intervalMinutes < 60 ? `${intervalMinutes}m` : `${intervalMinutes / 60}h`;
  return {
    title: `${SIMULATED}${market.asset}, ${minutes}, ${days} days, ${run.source}`,
    figures: [
      ["Return", change(measures.totalReturn)],
      ["Holding", change(measures.holdingReturn)],
      ["Deepest fall", percent(measures.maxDrawdown)],
      ["Trades", `${measures.closedTrades}`],
      ["Won", percent(measures.hitRate)],
      ["Sharpe", plain(measures.sharpe)],
      ["Costs", percent(measures.costShare)],
      ["In a position", percent(measures.exposure)],
    ],
    notes: [...sentences],
  };
}
