import { type ChartSettings, readChartSettings } from "../features/chart/chart-settings.ts";

const INITIAL = readChartSettings({});

/** Parses chart settings from an address's query; null when none. Missing values get the default. */
export function readChartQuery(search: string): ChartSettings | null {
  const query = new URLSearchParams(search);
  const [timeframe, kind, compare] = ["timeframe", "kind", "compare"].map(
    (name) => query.get(name) ?? undefined,
  );
  if (timeframe === undefined && kind === undefined && compare === undefined) return null;
  return readChartSettings({ timeframe, kind, comparisons: compare?.split(",") });
}

/** Adds the settings that differ from the defaults, so that the address reproduces the chart. */
export function addChartQuery(query: URLSearchParams, settings: ChartSettings): void {
  const { timeframe, kind, comparisons } = settings;
  if (timeframe !== INITIAL.timeframe) query.set("timeframe", timeframe);
  if (kind !== INITIAL.kind) query.set("kind", kind);
  if (comparisons.length > 0) query.set("compare", comparisons.join(","));
}
