import { useMemo } from "react";
import { useSearch } from "wouter";
import { navigate } from "wouter/use-browser-location";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import * as z from "zod/mini";
import { type ChartSettings, readChartSettings } from "../features/chart/chart-settings.ts";
import { storedValue } from "../lib/stored.ts";

const stored = storedValue(
  "tab-state",
  1,
  z.record(
    z.string(),
    z.object({
      timeframe: z.optional(z.string()),
      kind: z.optional(z.string()),
      comparisons: z.optional(z.array(z.string())),
    }),
  ),
);

const INITIAL = readChartSettings({});

function readStates(): Readonly<Record<string, ChartSettings>> {
  const entries = Object.entries(stored.read() ?? {});
  const kept = entries.map(([id, state]) => [id, readChartSettings(state)] as const);
  const linked = linkedState(location.search);
  return Object.fromEntries(linked ? [...kept, linked] : kept);
}

/** Returns tab and chart settings from the address, which take precedence over stored ones. */
function linkedState(search: string): readonly [tabId: string, settings: ChartSettings] | null {
  const tabId = new URLSearchParams(search).get("tab");
  const settings = readChartQuery(search);
  return tabId === null || settings === null ? null : [tabId, settings];
}

/** Stored chart settings per tab: timeframe and compared assets. */
const tabStates = createStore(readStates);

function stateOf(
  tabId: string,
  search: string,
  kept: ChartSettings | undefined = tabStates.getState()[tabId],
): ChartSettings {
  const linked = linkedState(search);
  return linked?.[0] === tabId ? linked[1] : (kept ?? INITIAL);
}

export function useTabState(tabId: string): ChartSettings {
  const search = useSearch();
  const kept = useStore(tabStates, (states) => states[tabId]);
  // Memoised for a stable reference between renders
  return useMemo(() => stateOf(tabId, search, kept), [tabId, search, kept]);
}

/** Returns the query that shows a tab as it is now. */
export function searchOf(tabId: string): string {
  const query = new URLSearchParams({ tab: tabId });
  addChartQuery(query, tabStates.getState()[tabId] ?? INITIAL);
  return `?${query.toString().replaceAll("%2C", ",")}`;
}

export function changeTabState(tabId: string, change: Partial<ChartSettings>): void {
  tabStates.setState({ [tabId]: { ...stateOf(tabId, location.search), ...change } });
  navigate(location.pathname + searchOf(tabId), { replace: true });
  stored.write(
    Object.fromEntries(
      Object.entries(tabStates.getState()).map(([id, { timeframe, kind, comparisons }]) => [
        id,
        { timeframe, kind, comparisons: [...comparisons] },
      ]),
    ),
  );
}

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
