import {
  hashKey,
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
  type UseQueryOptions,
} from "@tanstack/react-query";
import type { CallRoute } from "../../assistant/simulate-agent.ts";
import { getAgentByChat } from "../../contract/agents.ts";
import type { Agent } from "../../contract/agent.ts";
import type { CallOf, ResponseOf, Route } from "../../contract/route.ts";
import { call } from "../lib/api.ts";
import type { CallArguments } from "../lib/create-api.ts";
import { pollUnlessLive } from "../lib/live.ts";
import { type SignedInWallet, useOwner } from "../lib/session.ts";
import { type ToastText, toastDone, toastError } from "../lib/toast.ts";
import { markChanged } from "./stale.ts";

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
