import { infiniteQueryOptions, skipToken } from "@tanstack/react-query";
import type { ResponseOf } from "../../contract/route.ts";
import { CHANGES_PAGE, listChanges } from "../../contract/changes.ts";
import type { AgentId } from "../../domain/ids.ts";
import { call } from "../lib/api.ts";
import { keysOf } from "./keys.ts";
import type { SignedInWallet } from "../lib/session.ts";

/** Entry of an agent's change history. */
export type AgentChange = ResponseOf<typeof listChanges>[number];

/** Pages of an agent's changes, newest first. */
export const changesQuery = (address: SignedInWallet, agentId: AgentId | "") =>
  infiniteQueryOptions({
    queryKey: keysOf(address).changes(agentId),
    queryFn: agentId
      ? ({ pageParam }) => call(listChanges, { params: { agentId }, query: { before: pageParam } })
      : skipToken,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.length < CHANGES_PAGE ? null : page.at(-1)?.id),
    enabled: address !== "",
    // Refetched on every mount: a cached list could lack the newest change
    staleTime: 0,
  });
