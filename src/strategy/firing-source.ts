import type { Bar } from "./bar.ts";
import { createConditionEvaluator, warmUpBars } from "./evaluate-conditions.ts";
import type { PositionFacts } from "./firing.ts";
import type { RecordedFiring, SimulatedAgent, SimulationInput } from "./simulation.ts";

/**
 * Delay after a bar's open within which an alert still trades at that open: the time a bar's close takes to arrive from
 * outside, milliseconds.
 */
export const ALERT_DELAY_MS = 60_000;

/** Source of the alerts that fire at each bar's close. It receives every bar, oldest first. */
export interface FiringSource {
  /** Number of bars before the first firing counts. */
  readonly warmUpBars: number;
  readonly next: (
    bar: Bar,
    position: PositionFacts | null,
  ) => readonly { readonly alertKey: string }[];
  /** Number of recorded firings later than every bar received so far. */
  readonly left: () => number;
}

/** Returns the agent's own conditions in the form the live evaluator takes. */
export function conditionsOf(agent: SimulatedAgent) {
  return agent.alerts.flatMap(({ alertKey, condition }) =>
    condition === undefined ? [] : [{ alertKey, condition }],
  );
}

/** Returns the source of a simulation's firings. */
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
 * Replays recorded firings bar by bar. An alert belongs to the bar before the first open it can trade at: the next
 * open, or the last one if the alert came within `ALERT_DELAY_MS` of it.
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
