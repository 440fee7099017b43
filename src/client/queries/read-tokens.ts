import { useQueryClient } from "@tanstack/react-query";
import { createReadToken, listReadTokens, revokeReadToken } from "../../contract/read-tokens.ts";
import { keysOf } from "./keys.ts";
import { read, useChange } from "./read.ts";
import type { SignedInWallet } from "../lib/session.ts";

/** Active read tokens of the wallet. */
export const readTokensQuery = (address: SignedInWallet) =>
  read(keysOf(address).readTokens, listReadTokens, {});

/** Creates a read token after the wallet's confirmation. Only this answer contains it; it is not stored. */
export function useCreateReadToken(address: SignedInWallet) {
  const client = useQueryClient();
  return useChange(createReadToken, {
    gcTime: 0,
    onSuccess: () => client.invalidateQueries({ queryKey: keysOf(address).readTokens }),
  });
}

export function useRevokeReadToken(address: SignedInWallet) {
  const client = useQueryClient();
  return useChange(revokeReadToken, {
    onSuccess: () => client.invalidateQueries({ queryKey: keysOf(address).readTokens }),
  });
}
