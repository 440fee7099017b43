import * as z from "zod/mini";
import { createStore } from "zustand/vanilla";
import { useStore } from "zustand";
import { storedValue } from "../lib/stored.ts";
import { DEFAULT_TAB_ID, findTab, TABS } from "./registry.ts";

const stored = storedValue("workspace-tabs", 1, z.array(z.string()));

function readOpen(): readonly string[] {
  const kept = (stored.read() ?? []).filter((id) => findTab(id));
  return kept.length > 0
    ? kept
    : TABS.filter(({ isOpenAtFirst }) => isOpenAtFirst).map(({ id }) => id);
}

/** Which tabs are open, in order, and which one is on screen. */
const openTabs = createStore(() => ({ open: readOpen(), active: DEFAULT_TAB_ID }));

export function useOpenTabs() {
  return useStore(openTabs);
}

/** Shows a tab, opening it when it is closed. */
export function showTab(id: string): void {
  if (!findTab(id)) return;
  openTabs.setState(({ open }) => ({
    active: id,
    open: open.includes(id) ? open : [...open, id],
  }));
  stored.write([...openTabs.getState().open]);
}

/** Closes a tab unless it is the last one. */
export function closeTab(id: string): void {
  openTabs.setState(({ open, active }) => {
    if (open.length <= 1 || !open.includes(id)) return {};
    const left = open.filter((other) => other !== id);
    const neighbour = left[Math.max(0, open.indexOf(id) - 1)] ?? left[0] ?? DEFAULT_TAB_ID;
    return { open: left, active: active === id ? neighbour : active };
  });
  stored.write([...openTabs.getState().open]);
}
