import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { createReadToken, listReadTokens, revokeReadToken } from "../../contract/read-tokens.ts";
import { call } from "../lib/api.ts";
import { keysOf } from "./keys.ts";

/** Active read tokens of the wallet. */
export const readTokensQuery = (address: string) =>
  queryOptions({
    queryKey: keysOf(address).readTokens,
    queryFn: () => call(listReadTokens),
    enabled: address !== "",
  });

/** Creates a read token after the wallet's confirmation. Only this answer contains it; it is not stored. */
export function useCreateReadToken(address: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { readonly name: string; readonly days: number }) =>
      call(createReadToken, { body }),
    gcTime: 0,
    onSuccess: () => client.invalidateQueries({ queryKey: keysOf(address).readTokens }),
  });
}

export function useRevokeReadToken(address: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(revokeReadToken, { params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: keysOf(address).readTokens }),
  });
}
