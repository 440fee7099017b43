import { type PerformanceDeps, showPerformance } from "../performance/agent-performance.ts";
import { type PortfolioDeps, showPortfolio } from "../performance/portfolio.ts";
import type { Handlers } from "../http/handler.ts";

/** Answers the performance calls of an agent and of all of a wallet's agents, from the ledger. */
export function performanceHandlers(deps: PerformanceDeps & PortfolioDeps) {
  return {
    getPerformance: ({ params, query }) => showPerformance(deps, params.agentId, query.range),
    getPortfolio: ({ params, query }) => showPortfolio(deps, params.walletAddress, query.range),
  } satisfies Partial<Handlers>;
}
