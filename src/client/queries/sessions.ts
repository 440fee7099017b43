import { queryOptions, useMutation } from "@tanstack/react-query";
import { listSessions, signOutEverywhere } from "../../contract/auth.ts";
import { call } from "../lib/api.ts";
import { keysOf } from "./keys.ts";
import type { SignedInWallet } from "../lib/session.ts";

/** The wallet's open sessions. */
export const sessionsQuery = (address: SignedInWallet) =>
  queryOptions({
    queryKey: keysOf(address).sessions,
    queryFn: () => call(listSessions),
    enabled: address !== "",
  });

export function useSignOutEverywhere() {
  return useMutation({ mutationFn: () => call(signOutEverywhere) });
}
