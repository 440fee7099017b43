import {
  explainTrade,
  listAgents,
  readAgent,
  readCandles,
  readHealth,
  readLedger,
  readPerformance,
  readPortfolio,
  readPosition,
  readSignals,
  readTrades,
} from "./read-tools.ts";
import { listIndicators, previewCondition, simulateDraft } from "./simulate-tools.ts";
import type { AnyTool } from "./tool.ts";

/** Everything an assistant can do, in the order in which clients list it. */
export const TOOLS: readonly AnyTool[] = [
  listAgents,
  readAgent,
  readPosition,
  readTrades,
  readSignals,
  explainTrade,
  readPerformance,
  readPortfolio,
  readLedger,
  readHealth,
  readCandles,
  listIndicators,
  previewCondition,
  simulateDraft,
];
