import { infiniteQueryOptions } from "@tanstack/react-query";
import type { ResponseOf } from "../../contract/route.ts";
import { CHANGES_PAGE, listChanges } from "../../contract/changes.ts";
import type { AgentId } from "../../domain/ids.ts";
import { call } from "../lib/api.ts";
import { keysOf } from "./keys.ts";
import type { SignedInWallet } from "../lib/session.ts";

/** Entry of an agent's change history. */
export type AgentChange = ResponseOf<typeof listChanges>[number];

/** Converts a wire field name to the client's. */
const toField = (name: string) => (name === "hypothesisStatus" ? "writesHypotheses" : name);

const toChange = ({ fields, ...alike }: AgentChange): AgentChange =>
  fields === undefined ? alike : { ...alike, fields: fields.map(toField) };

/** Pages of an agent's changes, newest first. */
export const changesQuery = (address: SignedInWallet, agentId: AgentId | "") =>
  infiniteQueryOptions({
    queryKey: keysOf(address).changes(agentId),
    queryFn: async ({ pageParam }): Promise<AgentChange[]> => {
      const query = pageParam === null ? {} : { before: pageParam };
      return (await call(listChanges, { params: { botId: agentId }, query })).map(toChange);
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.length < CHANGES_PAGE ? null : page.at(-1)?.id),
    enabled: address !== "" && agentId !== "",
    // Refetched on every mount: a cached list could lack the newest change
    staleTime: 0,
  });
