import type { AgentReport } from "../../workers/simulate-agent.ts";

/** Maximum number of points drawn. */
const MOST_POINTS = 1_000;

/** Returns a run's growth curve from 0, the last value of each step; time in Unix seconds. */
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
