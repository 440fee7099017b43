import type { Bar } from "./bar.ts";
import { createConditionEvaluator, warmUpBars } from "./evaluate-conditions.ts";
import type { PositionFacts } from "./firing.ts";
import type { RecordedFiring, SimulatedAgent, SimulationInput } from "./simulation.ts";

/** How long after a bar's open an alert still takes that open: what a bar's close takes to arrive from outside. */
export const ALERT_DELAY_MS = 60_000;

/** Says which alerts fire when a bar closes. Every bar is handed in, oldest first. */
export interface FiringSource {
  /** Bars to pass before the first firing counts. */
  readonly warmUpBars: number;
  readonly next: (
    bar: Bar,
    position: PositionFacts | null,
  ) => readonly { readonly alertKey: string }[];
  /** Recorded firings later than every bar handed in so far. */
  readonly left: () => number;
}

/** Returns the agent's own conditions as the evaluator that trades takes them. */
export function conditionsOf(agent: SimulatedAgent) {
  return agent.alerts.flatMap(({ alertKey, condition }) =>
    condition === undefined ? [] : [{ alertKey, condition }],
  );
}

/** Returns where the firings of a simulation come from. */
export function firingSourceOf({ agent, firings }: SimulationInput): FiringSource {
  if (firings.kind === "recorded") return recorded(firings.firings);
  const conditions = conditionsOf(agent);
  const evaluator = createConditionEvaluator(conditions, agent.intervalMinutes);
  return {
    warmUpBars: warmUpBars(conditions, agent.intervalMinutes),
    next: (bar, position) => evaluator.next(bar, position),
    left: () => 0,
  };
}

/**
 * Hands a record out bar by bar. An alert belongs to the bar before the first open it can trade at: the next one, or
 * the last where it came within `ALERT_DELAY_MS` of it.
 */
function recorded(firings: readonly RecordedFiring[]): FiringSource {
  let at = 0;
  return {
    warmUpBars: 0,
    next({ openTimeMs, closeTimeMs }) {
      const due: RecordedFiring[] = [];
      for (; ; at += 1) {
        const firing = firings[at];
        if (firing === undefined || firing.atMs > closeTimeMs + ALERT_DELAY_MS) break;
        if (firing.atMs > openTimeMs + ALERT_DELAY_MS) due.push(firing);
      }
      return due;
    },
    left: () => firings.length - at,
  };
}
