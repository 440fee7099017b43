import type { AgentReport } from "../../workers/simulate-agent.ts";

/** Points that are drawn at most. */
const MOST_POINTS = 1_000;

/** Returns a run's growth since its beginning as it is drawn: 0 at first, the last of each step. Time in Unix seconds. */
export function simulatedCurve({
  request,
  report,
}: Pick<AgentReport, "request" | "report">): readonly {
  readonly time: number;
  readonly value: number;
}[] {
  const { times, equity, startMoney } = report.result;
  const start = Number(startMoney) / 10 ** request.quoteDecimals;
  const step = Math.ceil(times.length / MOST_POINTS);
  const points = [{ time: Math.floor(request.fromMs / 1_000), value: 0 }];
  times.forEach((atMs, at) => {
    if (at % step !== 0 && at !== times.length - 1) return;
    points.push({ time: Math.floor(atMs / 1_000), value: (equity[at] ?? start) / start - 1 });
  });
  return points;
}
