import { queryOptions } from "@tanstack/react-query";
import type { ResponseOf } from "../../contract/route.ts";
import { getCustody, getCustodyAccess, getDeletion } from "../../contract/custody.ts";
import { call } from "../lib/api.ts";
import { keysOf } from "./keys.ts";

export type Custody = ResponseOf<typeof getCustody>;

export const custodyQuery = (address: string, agentId: string) =>
  queryOptions({
    queryKey: keysOf(address).custody(agentId),
    queryFn: () => call(getCustody, { params: { botId: agentId } }),
    enabled: address !== "" && agentId !== "",
  });

export type CustodyAccess = NonNullable<ResponseOf<typeof getCustodyAccess>>;

/** Custody access of an agent: keys, accounts and limits; null before custody exists. */
export const custodyAccessQuery = (address: string, agentId: string) =>
  queryOptions({
    queryKey: keysOf(address).custodyAccess(agentId),
    queryFn: () => call(getCustodyAccess, { params: { botId: agentId } }),
    enabled: address !== "" && agentId !== "",
  });

export type Deletion = ResponseOf<typeof getDeletion>;

/** Deletion progress of an agent on chain; never served from cache. */
export const deletionQuery = (address: string, agentId: string) =>
  queryOptions({
    queryKey: keysOf(address).deletion(agentId),
    queryFn: () => call(getDeletion, { params: { botId: agentId } }),
    enabled: address !== "" && agentId !== "",
    staleTime: 0,
    gcTime: 0,
  });
