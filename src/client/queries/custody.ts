import { queryOptions } from "@tanstack/react-query";
import type { ResponseOf } from "../../contract/route.ts";
import { getCustody } from "../../contract/agents.ts";
import { getCustodyAccess, getDeletion } from "../../contract/custody.ts";
import { call } from "../lib/api.ts";
import { keysOf } from "./keys.ts";

export type Custody = ResponseOf<typeof getCustody>;

export const custodyQuery = (address: string, botId: string) =>
  queryOptions({
    queryKey: keysOf(address).custody(botId),
    queryFn: () => call(getCustody, { params: { botId } }),
    enabled: address !== "" && botId !== "",
  });

export type CustodyAccess = NonNullable<ResponseOf<typeof getCustodyAccess>>;

/** Who can move what of an agent; null before it has custody. */
export const custodyAccessQuery = (address: string, botId: string) =>
  queryOptions({
    queryKey: keysOf(address).custodyAccess(botId),
    queryFn: () => call(getCustodyAccess, { params: { botId } }),
    enabled: address !== "" && botId !== "",
  });

export type Deletion = ResponseOf<typeof getDeletion>;

/** How an agent's deletion stands on chain; never shown from before. */
export const deletionQuery = (address: string, botId: string) =>
  queryOptions({
    queryKey: keysOf(address).deletion(botId),
    queryFn: () => call(getDeletion, { params: { botId } }),
    enabled: address !== "" && botId !== "",
    staleTime: 0,
    gcTime: 0,
  });
