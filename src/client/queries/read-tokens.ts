import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { createReadToken, listReadTokens, revokeReadToken } from "../../contract/read-tokens.ts";
import { call } from "../lib/api.ts";
import { keysOf } from "./keys.ts";
import type { SignedInWallet } from "../lib/session.ts";

/** Active read tokens of the wallet. */
export const readTokensQuery = (address: SignedInWallet) =>
  queryOptions({
    queryKey: keysOf(address).readTokens,
    queryFn: () => call(listReadTokens),
    enabled: address !== "",
  });

/** Creates a read token after the wallet's confirmation. Only this answer contains it; it is not stored. */
export function useCreateReadToken(address: SignedInWallet) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { readonly name: string; readonly days: number }) =>
      call(createReadToken, { body }),
    gcTime: 0,
    onSuccess: () => client.invalidateQueries({ queryKey: keysOf(address).readTokens }),
  });
}

export function useRevokeReadToken(address: SignedInWallet) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(revokeReadToken, { params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: keysOf(address).readTokens }),
  });
}
