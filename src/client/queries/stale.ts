import type { Query, QueryClient } from "@tanstack/react-query";
import { type CallOf, CHAT_TOPICS, type Route, type Topic } from "../../contract/route.ts";
import type { SignedInWallet } from "../lib/session.ts";

/** A change; without an id it is one of everything that the topic can name. */
export interface StaleMark {
  readonly topic: Topic;
  readonly id?: string | undefined;
}

/** Minimum time between two refetch rounds in milliseconds; one server action can send several notices. */
export const ROUND_GAP_MS = 500;

/** Returns the chat or agent that a call names, as its topic needs it. */
function idIn(asked: unknown, topic: Topic): string | undefined {
  const name = (CHAT_TOPICS as readonly string[]).includes(topic) ? "chatId" : "agentId";
  const parts = Object.values((asked ?? {}) as Readonly<Record<string, Record<string, string>>>);
  return parts.find((part) => part?.[name] !== undefined)?.[name];
}

/** Returns whether a mark makes a wallet's query stale. */
const isMarked =
  (owner: SignedInWallet, marks: readonly StaleMark[]) =>
  ({ queryKey, meta }: Pick<Query, "queryKey" | "meta">): boolean =>
    queryKey[0] === owner &&
    marks.some(({ topic, id }) => {
      if ((meta?.["staleOn"] as readonly Topic[] | undefined)?.includes(topic) !== true)
        return false;
      const shown = idIn(queryKey[2], topic);
      return id === undefined || shown === undefined || shown === id;
    });

/** Reads again what shows one of the changes. */
export const markStale = (
  client: QueryClient,
  owner: SignedInWallet,
  marks: readonly StaleMark[],
): Promise<void> => client.invalidateQueries({ predicate: isMarked(owner, marks) });

/** Reads again what a call changed, as its route says. */
export const markChanged = <R extends Route>(
  client: QueryClient,
  owner: SignedInWallet,
  route: R,
  asked?: CallOf<R>,
): Promise<void> =>
  markStale(
    client,
    owner,
    (route.changes ?? []).map((topic) => ({ topic, id: idIn(asked, topic) })),
  );

/** Batches refetches of stale queries: each is refetched once per round, however many notices named it. */
export function createStaleQueries(client: QueryClient, owner: SignedInWallet) {
  let waiting: readonly StaleMark[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  function round(): void {
    const marks = waiting;
    waiting = [];
    timer = marks.length === 0 ? undefined : setTimeout(round, ROUND_GAP_MS);
    if (marks.length > 0) void markStale(client, owner, marks);
  }

  return {
    /** Refetches at once, or in the next round when one has just run. */
    mark(mark: StaleMark) {
      waiting = [...waiting, mark];
      if (timer === undefined) round();
    },
    /** Refetches all of the wallet at once. */
    markAll() {
      void client.invalidateQueries({ queryKey: [owner] });
    },
    /** Discards the queries that wait for the next round. */
    stop() {
      clearTimeout(timer);
      timer = undefined;
      waiting = [];
    },
  };
}
