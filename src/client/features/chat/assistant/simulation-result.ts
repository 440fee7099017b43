import type { Measures } from "../../../../strategy/measures.ts";
import { formatShare } from "../../../lib/format.ts";
import { SIMULATED, type ToolResult } from "./answer-text.ts";

const percent = (share: number | null): string =>
  share === null ? "–" : `${Math.abs(100 * share).toFixed(1)}%`;

const change = (share: number | null): string => formatShare(share, 1);

const plain = (value: number | null): string =>
  value === null ? "–" : value.toFixed(2).replace("-", "−");

interface SimulatedOf {
  readonly asset: string;
  readonly intervalMinutes: number;
  readonly days: number;
  readonly source: string;
  readonly measures: Measures;
  readonly warnings: readonly string[];
}

/** Returns a simulation's key figures and all its warnings for the chat. */
export function simulationResult(run: SimulatedOf): ToolResult {
  const { asset, intervalMinutes, days, source, measures, warnings } = run;
  const minutes = intervalMinutes < 60 ? `${intervalMinutes}m` : `${intervalMinutes / 60}h`;
  return {
    title: `${SIMULATED}${asset}, ${minutes}, ${days} days, ${source}`,
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
    notes: [...warnings],
  };
}
