import {
  hashKey,
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
  type UseQueryOptions,
  type Query,
  type QueryClient,
} from "@tanstack/react-query";
import type { CallRoute } from "../../assistant/simulate-agent.ts";
import { getAgentByChat } from "../../contract/agents.ts";
import type { Agent } from "../../contract/agent.ts";
import {
  type CallOf,
  type ResponseOf,
  type Route,
  CHAT_TOPICS,
  type Topic,
} from "../../contract/route.ts";
import { call } from "../lib/api.ts";
import type { CallArguments } from "../lib/create-api.ts";
import { pollUnlessLive } from "../lib/live.ts";
import { type SignedInWallet, useOwner } from "../lib/session.ts";
import { type ToastText, toastDone, toastError } from "../lib/toast.ts";

/** First part of the keys of answers that are the same for everybody; other keys start with the wallet. */
export const PUBLIC = "public";

/** The parameters of a call; while one of them is the empty text, nothing is asked. */
export type Asked<R extends Route> = {
  readonly [Part in keyof CallOf<R>]: {
    readonly [Name in keyof CallOf<R>[Part]]: CallOf<R>[Part][Name] | "";
  };
};

type Parts = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

const isComplete = (asked: Parts) =>
  Object.values(asked).every((part) => part === undefined || !Object.values(part).includes(""));

/** Returns the key of a read: who asks, which route, with which parameters; `parts` keep apart what is made of one. */
export const keyOf = <R extends Route, const P extends readonly unknown[]>(
  owner: SignedInWallet,
  route: R,
  asked: Asked<R>,
  ...parts: P
) => [route.access.kind === "public" ? PUBLIC : owner, route.path, asked, ...parts] as const;

/** Returns how the answers of a route stay fresh, as the contract says, and whether they can be asked for. */
export const freshness = <R extends Route>(
  owner: SignedInWallet,
  { access, staleOn, freshMs, pollMs, pollsWhilePushed }: R,
  asked: Asked<R>,
) => ({
  enabled: (access.kind === "public" || owner !== "") && isComplete(asked),
  meta: { staleOn },
  ...(freshMs !== undefined && { staleTime: freshMs }),
  ...(pollMs !== undefined && {
    refetchInterval: pollsWhilePushed ? pollMs : pollUnlessLive(pollMs),
  }),
});

/** Makes a call of the contract, as shared code does. */
export const callRoute: CallRoute = (route, request) =>
  call(route, ...([request] as unknown as CallArguments<typeof route>));

/** Returns the query options of a call that reads. */
export const read = <R extends Route>(owner: SignedInWallet, route: R, asked: Asked<R>) =>
  queryOptions({
    queryKey: keyOf(owner, route, asked),
    queryFn: (): Promise<ResponseOf<R>> => call(route, ...([asked] as unknown as CallArguments<R>)),
    ...freshness(owner, route, asked),
  });

/** Returns who asks which route with which path parameters. */
const placeOf = ([owner, path, asked]: readonly unknown[]): string =>
  hashKey([owner, path, (asked as Parts)["params"]]);

type ReadOptions<R extends Route> = Pick<
  UseQueryOptions<ResponseOf<R>>,
  "enabled" | "gcTime" | "refetchInterval" | "refetchIntervalInBackground" | "staleTime"
> & {
  /** Shows the previous answer while another query of the same path parameters loads. */
  readonly keepsPrevious?: boolean;
};

/** Reads what the signed-in wallet may, and reads it again when the contract says that it is stale. */
export function useRead<R extends Route>(
  route: R,
  asked: Asked<R>,
  { keepsPrevious = false, ...options }: ReadOptions<R> = {},
) {
  const asks = read(useOwner(), route, asked) as unknown as UseQueryOptions<ResponseOf<R>>;
  const enabled = asks.enabled === true && options.enabled !== false;
  return useQuery<ResponseOf<R>>({
    ...asks,
    ...options,
    enabled,
    placeholderData: (previous, query) =>
      keepsPrevious && query && placeOf(query.queryKey) === placeOf(asks.queryKey)
        ? previous
        : undefined,
  });
}

/** Returns the query options of a list that is read in pages; `cursor` is the parameter that names the next one. */
export const readPages = <R extends Route>(
  owner: SignedInWallet,
  route: R,
  asked: Asked<R>,
  cursor: string,
  nextOf: (page: ResponseOf<R>) => string | null | undefined,
) =>
  infiniteQueryOptions({
    queryKey: keyOf(owner, route, asked, "pages"),
    queryFn: ({ pageParam }): Promise<ResponseOf<R>> => {
      const { query, ...rest } = asked as Parts;
      const page = { ...rest, query: { ...query, [cursor]: pageParam } };
      return call(route, ...([page] as unknown as CallArguments<R>));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: nextOf,
    ...freshness(owner, route, asked),
  });

interface ChangeOptions<R extends Route> {
  readonly onSuccess?: (answer: ResponseOf<R>, asked: CallOf<R>) => unknown;
  readonly gcTime?: number;
  /** Toast of a success; with it, or with "failures", a failure is a toast too. */
  readonly toast?: ToastText | "failures";
  /** Called after a success once what it changes was read again, also where the component is gone. */
  readonly onDone?: ((answer: ResponseOf<R>) => unknown) | undefined;
}

/** Returns the mutation that makes a call of a route; afterwards what it changes is read again, also when it failed. */
export function useChange<R extends Route>(
  route: R,
  { toast, onDone, ...options }: ChangeOptions<R> = {},
) {
  const client = useQueryClient();
  const owner = useOwner();
  return useMutation({
    mutationFn: (asked: CallOf<R>) => call(route, ...([asked] as unknown as CallArguments<R>)),
    onSettled: async (answer, error, asked) => {
      await markChanged(client, owner, route, asked);
      if (error !== null) return toast && toastError(error);
      if (typeof toast === "object") toastDone(toast);
      return onDone?.(answer as ResponseOf<R>);
    },
    ...options,
  });
}

/** Returns the mutation of a route that answers with the changed agent, which is shown at once. */
export function useAgentChange<R extends Route>(
  route: R & (ResponseOf<R> extends Agent | { readonly agent: Agent } | null ? unknown : never),
  options: Pick<ChangeOptions<R>, "toast" | "onDone"> = {},
) {
  const client = useQueryClient();
  const owner = useOwner();
  return useChange<R>(route, {
    ...options,
    onSuccess: (answer) => {
      if (answer === null) return;
      const { agent = answer as Agent } = answer as { readonly agent?: Agent };
      client.setQueryData(
        keyOf(owner, getAgentByChat, { params: { chatId: agent.chatId } }),
        agent,
      );
    },
  });
}

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
