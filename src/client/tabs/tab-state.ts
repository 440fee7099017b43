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
  return Object.fromEntries(entries.map(([id, state]) => [id, readChartSettings(state)]));
}

/** What each tab remembers in this browser: its timeframe and what it is compared with. Spec: agents §2 */
const tabStates = createStore(readStates);

export function useTabState(tabId: string): ChartSettings {
  return useStore(tabStates, (states) => states[tabId] ?? INITIAL);
}

export function changeTabState(tabId: string, change: Partial<ChartSettings>): void {
  tabStates.setState((states) => ({
    [tabId]: { ...(states[tabId] ?? INITIAL), ...change },
  }));
  stored.write(
    Object.fromEntries(
      Object.entries(tabStates.getState()).map(([id, { timeframe, kind, comparisons }]) => [
        id,
        { timeframe, kind, comparisons: [...comparisons] },
      ]),
    ),
  );
}
