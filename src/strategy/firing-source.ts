import { barSpanAt, type Bar } from "./bar-times.ts";
import { createConditionEvaluator, warmUpBars } from "./evaluate-conditions.ts";
import type { PositionFacts } from "./firing.ts";
import type { RecordedFiring, SimulatedAgent, SimulationInput } from "./simulation.ts";

/** An alert that fired; without a time of its own it fired when the bar closed. Unix milliseconds. */
interface Fired {
  readonly alertKey: string;
  readonly atMs?: number;
}

/**
 * Share by which a file's price may differ from the bars of its time: exchanges differ by that much.
 */
export const PRICE_TOLERANCE = 0.002;

/** Source of the alerts that fire at each bar's close. It receives every bar, oldest first. */
export interface FiringSource {
  /** Number of bars before the first firing counts. */
  readonly warmUpBars: number;
  readonly next: (bar: Bar, position: PositionFacts | null) => readonly Fired[];
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
export function firingSourceOf(input: SimulationInput): FiringSource {
  const { agent, firings } = input;
  if (firings.kind === "recorded") return recorded(whenKnown(firings.firings, input));
  const conditions = conditionsOf(agent);
  const evaluator = createConditionEvaluator(conditions, agent.intervalMinutes);
  return {
    warmUpBars: warmUpBars(conditions, agent.intervalMinutes),
    next: (bar, position) => evaluator.next(bar, position),
    left: () => 0,
  };
}

/**
 * Replays recorded firings bar by bar. An alert trades at the first open at or after its own time, so one of a bar's
 * close takes that open and one of a moment later the next.
 */
function recorded(firings: readonly RecordedFiring[]): FiringSource {
  let at = 0;
  return {
    warmUpBars: 0,
    next({ openTimeMs, closeTimeMs }) {
      const due: RecordedFiring[] = [];
      for (; ; at += 1) {
        const firing = firings[at];
        if (firing === undefined || firing.atMs > closeTimeMs) break;
        if (firing.atMs > openTimeMs) due.push(firing);
      }
      return due;
    },
    left: () => firings.length - at,
  };
}

/**
 * Returns firings with the time at which they were known, oldest first. A file dates an order by its bar's open: at
 * another price than the open it filled later in the bar, and is known when the agent's bar has closed.
 */
function whenKnown(
  firings: readonly RecordedFiring[],
  { bars, agent }: Pick<SimulationInput, "bars" | "agent">,
): readonly RecordedFiring[] {
  if (firings.every(({ price }) => price === undefined)) return firings;
  const opens = new Map(bars.map(({ openTimeMs, open }) => [openTimeMs, open]));
  return firings
    .map((firing) => {
      const { price, atMs } = firing;
      const open = opens.get(atMs);
      if (price === undefined || open === undefined) return firing;
      if (Math.abs(price / open - 1) <= PRICE_TOLERANCE) return firing;
      return { ...firing, atMs: barSpanAt(agent.intervalMinutes, atMs).closeTimeMs };
    })
    .toSorted((a, b) => a.atMs - b.atMs);
}
