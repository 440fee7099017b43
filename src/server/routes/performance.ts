import { type PerformanceDeps, showPerformance } from "../performance/agent-performance.ts";
import type { Handlers } from "./handler.ts";

/** Answers what an agent's book says of its money. */
export function performanceHandlers(deps: PerformanceDeps): Pick<Handlers, "getPerformance"> {
  return {
    getPerformance: ({ params, query }) => showPerformance(deps, params.botId, query.range),
  };
}
