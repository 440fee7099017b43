import type { QueryClient } from "@tanstack/react-query";
import { ROUTES } from "../../contract/routes.ts";
import { authorizedFetch } from "../lib/api.ts";
import { listenForEvents } from "../lib/events.ts";
import { live } from "../lib/live.ts";
import { session } from "../lib/session.ts";
import { staleKeys } from "../queries/stale-keys.ts";

/** Follows the server's push for whoever is signed in; polling takes over whenever it is not connected. */
export function followPush(queryClient: QueryClient): () => void {
  let stop: () => void = () => {};
  let listeningFor = "";

  function follow({ address }: { readonly address: string }): void {
    if (address === listeningFor) return;
    stop();
    live.setState({ isConnected: false });
    listeningFor = address;
    if (address === "") {
      stop = () => {};
      return;
    }
    stop = listenForEvents({
      open: (signal) => authorizedFetch(ROUTES.streamEvents.path, { signal }),
      onStale(notice) {
        for (const queryKey of staleKeys(notice, address)) {
          void queryClient.invalidateQueries({ queryKey });
        }
      },
      onConnection(isConnected) {
        live.setState({ isConnected });
        // Asking again fills the gap and makes every query read its interval anew
        void queryClient.invalidateQueries({ queryKey: [address] });
      },
    });
  }

  follow(session.getState());
  const unsubscribe = session.subscribe(follow);
  return () => {
    unsubscribe();
    stop();
  };
}
