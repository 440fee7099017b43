import type { QueryClient } from "@tanstack/react-query";
import { streamEvents } from "../../contract/events.ts";
import { authorizedFetch } from "../lib/api.ts";
import { listenForEvents } from "../lib/events.ts";
import { live } from "../lib/live.ts";
import { session, type SignedInWallet } from "../lib/session.ts";
import { staleKeys } from "../queries/stale-keys.ts";
import { createStaleQueries } from "./stale-queries.ts";

/** Subscribes to the signed-in wallet's server events; queries poll while the stream is disconnected. */
export function followPush(queryClient: QueryClient): () => void {
  let stop: () => void = () => {};
  let listeningFor = "";

  function follow({ address }: { readonly address: SignedInWallet }): void {
    if (address === listeningFor) return;
    stop();
    live.setState({ isConnected: false });
    listeningFor = address;
    if (address === "") {
      stop = () => {};
      return;
    }
    const stale = createStaleQueries(queryClient);
    const stopListening = listenForEvents({
      open: (signal) => authorizedFetch(streamEvents.path, { signal }),
      onStale(notice) {
        stale.mark(staleKeys(notice, address));
      },
      onConnection(isConnected) {
        live.setState({ isConnected });
        // Refetching covers notices missed while disconnected and makes every query re-evaluate its poll interval
        stale.mark([[address]]);
      },
    });
    stop = () => {
      stopListening();
      stale.stop();
    };
  }

  follow(session.getState());
  const unsubscribe = session.subscribe(follow);
  return () => {
    unsubscribe();
    stop();
  };
}
