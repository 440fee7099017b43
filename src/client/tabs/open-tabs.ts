import { useSearch } from "wouter";
import { navigate } from "wouter/use-browser-location";
import * as z from "zod/mini";
import { createStore } from "zustand/vanilla";
import { useStore } from "zustand";
import { storedValue, storedTab, storedWallet } from "../lib/stored.ts";
import { searchOf } from "./tab-state.ts";
import { DEFAULT_TAB_ID, FALLBACK_TAB_ID, findTab, TABS } from "./registry.ts";

const stored = storedValue("workspace-tabs", 1, z.array(z.string()));

function readOpen(): readonly string[] {
  const kept = (stored.read() ?? []).filter((id) => findTab(id));
  if (kept.length > 0) return kept;
  const isNewcomer = storedWallet.read() === null;
  const first = TABS.filter(
    ({ isOpenAtFirst }) => isOpenAtFirst === "always" || (isOpenAtFirst === "later" && !isNewcomer),
  ).map(({ id }) => id);
  // Connecting a wallet must not open further tabs at the next visit
  stored.write(first);
  return first;
}

/** Returns the initial tab: the last one used, unless it is a placeholder. */
function readLast(): string {
  const last = findTab(storedTab.read() ?? "");
  if (last === undefined) return DEFAULT_TAB_ID;
  return last.isPlaceholder && last.id !== DEFAULT_TAB_ID ? FALLBACK_TAB_ID : last.id;
}

/** Open tabs in order and the last used one. The active tab is in the address, so that it can be linked. */
const openTabs = createStore(() => ({ open: readOpen(), last: readLast() }));

interface OpenTabs {
  readonly open: readonly string[];
  readonly active: string;
}

/** Returns the tabs for an address's query; a tab named there counts as open, without one the last used is active. */
function tabsOf(
  search: string,
  { open, last }: { open: readonly string[]; last: string },
): OpenTabs {
  const asked = new URLSearchParams(search).get("tab") ?? last;
  const active = findTab(asked) ? asked : FALLBACK_TAB_ID;
  return { open: open.includes(active) ? open : [...open, active], active };
}

export function useOpenTabs(): OpenTabs {
  return tabsOf(useSearch(), useStore(openTabs));
}

function keep(open: readonly string[], active: string): void {
  openTabs.setState({ open, last: active });
  stored.write([...open]);
  storedTab.write(active);
  const search = active === DEFAULT_TAB_ID ? "" : searchOf(active);
  if (search !== location.search) navigate(location.pathname + search, { replace: true });
}

/** Returns the open tabs that can be shown; the chart when all others need an agent and none exists. */
export function shownTabs(open: readonly string[], hasAgent: boolean): readonly string[] {
  const shown = open.filter((id) => hasAgent || !findTab(id)?.needsAgent);
  return shown.length > 0 ? shown : [FALLBACK_TAB_ID];
}

/** Shows a tab, opening it when it is closed. */
export function showTab(id: string): void {
  if (!findTab(id)) return;
  const { open } = tabsOf(location.search, openTabs.getState());
  keep(open.includes(id) ? open : [...open, id], id);
}

/** Closes a tab unless it is the last one. */
export function closeTab(id: string): void {
  const { open, active } = tabsOf(location.search, openTabs.getState());
  if (open.length <= 1 || !open.includes(id)) return;
  const left = open.filter((other) => other !== id);
  const neighbour = left[Math.max(0, open.indexOf(id) - 1)] ?? left[0] ?? DEFAULT_TAB_ID;
  keep(left, active === id ? neighbour : active);
}
