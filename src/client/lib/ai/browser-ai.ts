import { plainFetch } from "../api.ts";
import type { AiDeps } from "./ask-ai.ts";

/** Network, timers and limits for AI requests in the browser. */
export const BROWSER_AI: AiDeps = {
  fetch: plainFetch,
  isOnline: () => globalThis.navigator?.onLine ?? true,
  silenceMs: 60_000,
  longestMs: 10 * 60_000,
  mostBytes: 16 * 1024 ** 2,
  retryPauseMs: 1000,
};
