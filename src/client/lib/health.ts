import { createStore } from "zustand/vanilla";
import { plainFetch } from "./api.ts";
import { live } from "./live.ts";

/** Interval of the health check while the browser is online, in milliseconds. */
export const HEALTH_CHECK_MS = 30_000;

interface Health {
  readonly isOnline: boolean;
  readonly isChecking: boolean;
  /** True when the server serves a newer build than the open page. */
  readonly isOutdated: boolean;
}

export const health = createStore<Health>(() => ({
  isOnline: true,
  isChecking: false,
  isOutdated: false,
}));

/** Returns the address of this page's entry script, which changes with every build. */
function ownScript(): string | null {
  return document.querySelector('script[type="module"]')?.getAttribute("src") ?? null;
}

/** Checks whether the server is reachable. */
export async function checkHealth(): Promise<void> {
  health.setState({ isChecking: true });
  let isOnline = false;
  try {
    const response = await plainFetch("/api/health", {
      method: "HEAD",
      headers: { "Cache-Control": "no-cache" },
    });
    isOnline = response.ok;
    const served = response.headers.get("x-page-script");
    if (served !== null) health.setState({ isOutdated: served !== ownScript() });
  } catch {
    isOnline = false;
  }
  health.setState({ isOnline, isChecking: false });
}

/** Checks immediately, when the browser comes online, when push connects or breaks, and every 30 s while online. */
export function watchHealth(): () => void {
  const check = () => void checkHealth();
  const lose = () => health.setState({ isOnline: false });
  globalThis.addEventListener("online", check);
  globalThis.addEventListener("offline", lose);
  const unfollow = live.subscribe((now, before) => {
    if (now.isConnected !== before.isConnected) check();
  });
  const timer = setInterval(() => {
    if (navigator.onLine) check();
  }, HEALTH_CHECK_MS);
  check();
  return () => {
    clearInterval(timer);
    unfollow();
    globalThis.removeEventListener("online", check);
    globalThis.removeEventListener("offline", lose);
  };
}
