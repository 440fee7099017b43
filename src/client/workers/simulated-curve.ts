import { returnOver } from "../../domain/measures/growth.ts";
import type { AgentReport } from "../../assistant/simulate-agent.ts";

/** Point of the curve, time in Unix seconds; a null value is a gap. */
interface GrowthPoint {
  readonly time: number;
  readonly value: number | null;
}

/** Maximum number of points drawn. */
const MOST_POINTS = 1_000;

/** Distance of two bars, in bars, above which one is missing between them. */
const MOST_BARS_APART = 1.5;

/**
 * Returns a run's growth curve from 0, the last value of each step, with a point of unknown value where bars are missing.
 * Time in Unix seconds.
 */
export function simulatedCurve({
  request,
  report,
  barMinutes,
}: Pick<AgentReport, "request" | "report" | "barMinutes">): readonly GrowthPoint[] {
  const { times, equity, startMoney } = report.result;
  const start = Number(startMoney) / 10 ** request.quoteDecimals;
  const step = Math.ceil(times.length / MOST_POINTS);
  const points: GrowthPoint[] = [{ time: Math.floor(request.fromMs / 1_000), value: 0 }];
  times.forEach((atMs, at) => {
    const before = times[at - 1] ?? atMs;
    if (atMs - before > MOST_BARS_APART * barMinutes * 60_000) {
      points.push({ time: Math.floor(before / 1_000), value: null });
    } else if (at % step !== 0 && at !== times.length - 1) return;
    points.push({ time: Math.floor(atMs / 1_000), value: returnOver(start, equity[at] ?? start) });
  });
  return points;
}
