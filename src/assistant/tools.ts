import {
  explainTrade,
  listAgents,
  readAgent,
  readCandles,
  readDocumentationPage,
  readHealth,
  readLedger,
  readPerformance,
  readPortfolio,
  readPosition,
  readSignals,
  readTrades,
} from "./read-tools.ts";
import { listIndicators, previewCondition, simulateDraft, simulateGrid } from "./simulate-tools.ts";
import {
  proposeAgent,
  proposeAutoTrade,
  proposeChange,
  proposeDeletion,
  proposeDeposit,
  proposeLimits,
  proposePrompts,
  proposeStopAll,
  proposeWithdrawal,
} from "./propose-tools.ts";
import type { AnyTool } from "./tool.ts";
import schemas from "./tool-schemas.json" with { type: "json" };

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
  readDocumentationPage,
  listIndicators,
  previewCondition,
  simulateDraft,
  simulateGrid,
  proposeAgent,
  proposeChange,
  proposeAutoTrade,
  proposeLimits,
  proposePrompts,
  proposeDeposit,
  proposeWithdrawal,
  proposeDeletion,
  proposeStopAll,
];

/**
 * Returns the JSON schema of a tool's arguments with each field in words.
 *
 * It is written down, because the page would need a large part of zod to derive it; `tools.test.ts` derives it again.
 */
export const schemaOf = ({ name }: AnyTool): { readonly type: "object" } =>
  (schemas as Readonly<Record<string, { readonly type: "object" }>>)[name] ?? { type: "object" };
