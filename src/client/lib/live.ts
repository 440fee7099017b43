import { createStore } from "zustand/vanilla";

/** Whether the server's push is connected. */
export const live = createStore<{ readonly isConnected: boolean }>(() => ({ isConnected: false }));

/** Returns a refetch interval that is disabled while push is connected; hidden pages never poll. */
export function pollUnlessLive(intervalMs: number): () => number | false {
  return () => (live.getState().isConnected ? false : intervalMs);
}
