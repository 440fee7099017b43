import { createStore } from "zustand/vanilla";
import { useStore } from "zustand";
import { storedTheme } from "./stored.ts";

export type Theme = "light" | "dark";

/** Returns the current theme; the inline script of index.html sets the attribute before first paint. */
const shown = (): Theme =>
  document.documentElement.dataset["theme"] === "light" ? "light" : "dark";

const theme = createStore<{ readonly theme: Theme }>(() => ({ theme: shown() }));

function show(next: Theme): void {
  document.documentElement.dataset["theme"] = next;
  theme.setState({ theme: next });
}

export function useTheme(): Theme {
  return useStore(theme, (state) => state.theme);
}

export function toggleTheme(): void {
  const next = shown() === "dark" ? "light" : "dark";
  storedTheme.write(next);
  show(next);
}

/** Follows the system's theme until the user chooses one. */
export function followSystemTheme(): () => void {
  const list = matchMedia("(prefers-color-scheme: light)");
  const follow = () => {
    if (storedTheme.read() === null) show(list.matches ? "light" : "dark");
  };
  list.addEventListener("change", follow);
  return () => list.removeEventListener("change", follow);
}
