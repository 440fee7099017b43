import { queryOptions } from "@tanstack/react-query";
import type { ResponseOf } from "../../contract/route.ts";
import { listChanges } from "../../contract/changes.ts";
import { call } from "../lib/api.ts";
import { keysOf } from "./keys.ts";

/** One line of what was changed of an agent. */
export type AgentChange = ResponseOf<typeof listChanges>[number];

/** Returns a field's name in the page's words. */
const toField = (name: string) => (name === "hypothesisStatus" ? "writesHypotheses" : name);

const toChange = ({ fields, ...alike }: AgentChange): AgentChange =>
  fields === undefined ? alike : { ...alike, fields: fields.map(toField) };

export const changesQuery = (address: string, agentId: string) =>
  queryOptions({
    queryKey: keysOf(address).changes(agentId),
    queryFn: async () => (await call(listChanges, { params: { botId: agentId } })).map(toChange),
    enabled: address !== "" && agentId !== "",
    // Read anew whenever it is looked at: an old list would leave out what the owner looks for
    staleTime: 0,
  });
