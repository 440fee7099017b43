import { queryOptions, useMutation } from "@tanstack/react-query";
import type { CallOf, ResponseOf, Route } from "../../contract/route.ts";
import { call } from "../lib/api.ts";
import type { CallArguments } from "../lib/create-api.ts";

/** Returns the options of a call that reads; `asked` is empty text while an id is missing, and nothing is asked. */
export const read = <R extends Route>(
  queryKey: readonly unknown[],
  route: R,
  asked: CallOf<R> | "",
) =>
  queryOptions({
    queryKey,
    queryFn: (): Promise<ResponseOf<R>> => call(route, ...([asked] as unknown as CallArguments<R>)),
    enabled: queryKey[0] !== "" && asked !== "",
  });

/** Keeps the previous answer while another one of the same wallet or agent loads. */
export const keptFor =
  (id: string) =>
  <T>(previous: T | undefined, query?: { readonly queryKey: readonly unknown[] }): T | undefined =>
    query?.queryKey.includes(id) === true ? previous : undefined;

/** Returns the mutation that makes a call of a route. */
export const useChange = <R extends Route>(
  route: R,
  options: {
    readonly onSuccess?: (answer: ResponseOf<R>, asked: CallOf<R>) => unknown;
    readonly onError?: () => unknown;
    readonly onSettled?: () => unknown;
    readonly gcTime?: number;
  } = {},
) =>
  useMutation({
    mutationFn: (asked: CallOf<R>) => call(route, ...([asked] as unknown as CallArguments<R>)),
    ...options,
  });
