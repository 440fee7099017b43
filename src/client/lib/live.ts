import type { PricesEvent } from "../../contract/deployment.ts";
import { createStore } from "zustand/vanilla";

interface Live {
  /** Whether the server's push is connected. */
  readonly isConnected: boolean;
  /** Newest live prices that were pushed; null before the first and without push. */
  readonly prices: PricesEvent | null;
}

/** What the server pushes, besides what became stale. */
export const live = createStore<Live>(() => ({ isConnected: false, prices: null }));

/** Returns a refetch interval that is disabled while push is connected; hidden pages never poll. */
export function pollUnlessLive(intervalMs: number): () => number | false {
  return () => (live.getState().isConnected ? false : intervalMs);
}
