import { queryOptions } from "@tanstack/react-query";
import type { ResponseOf } from "../../contract/route.ts";
import { listChanges } from "../../contract/changes.ts";
import { call } from "../lib/api.ts";
import { keysOf } from "./keys.ts";

/** Entry of an agent's change history. */
export type AgentChange = ResponseOf<typeof listChanges>[number];

/** Converts a wire field name to the client's. */
const toField = (name: string) => (name === "hypothesisStatus" ? "writesHypotheses" : name);

const toChange = ({ fields, ...alike }: AgentChange): AgentChange =>
  fields === undefined ? alike : { ...alike, fields: fields.map(toField) };

export const changesQuery = (address: string, agentId: string) =>
  queryOptions({
    queryKey: keysOf(address).changes(agentId),
    queryFn: async () => (await call(listChanges, { params: { botId: agentId } })).map(toChange),
    enabled: address !== "" && agentId !== "",
    // Refetched on every mount: a cached list could lack the newest change
    staleTime: 0,
  });
