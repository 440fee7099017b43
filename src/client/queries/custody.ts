import { queryOptions } from "@tanstack/react-query";
import type { ResponseOf } from "../../contract/route.ts";
import { getCustody, getCustodyAccess, getDeletion } from "../../contract/custody.ts";
import type { AgentId } from "../../domain/ids.ts";
import { call } from "../lib/api.ts";
import { keysOf } from "./keys.ts";
import type { SignedInWallet } from "../lib/session.ts";

export type Custody = ResponseOf<typeof getCustody>;

export const custodyQuery = (address: SignedInWallet, agentId: AgentId | "") =>
  queryOptions({
    queryKey: keysOf(address).custody(agentId),
    queryFn: () => call(getCustody, { params: { botId: agentId } }),
    enabled: address !== "" && agentId !== "",
  });

function toCustodyAccess(answer: NonNullable<ResponseOf<typeof getCustodyAccess>>) {
  const {
    delegate: tradingKey,
    delegateOnChain: tradingKeyOnChain,
    delegateState: tradingKeyState,
    ...rest
  } = answer;
  return { ...rest, tradingKey, tradingKeyOnChain, tradingKeyState };
}

export type CustodyAccess = ReturnType<typeof toCustodyAccess>;

/** Custody access of an agent: keys, accounts and limits; null before custody exists. */
export const custodyAccessQuery = (address: SignedInWallet, agentId: AgentId | "") =>
  queryOptions({
    queryKey: keysOf(address).custodyAccess(agentId),
    queryFn: async () => {
      const answer = await call(getCustodyAccess, { params: { botId: agentId } });
      return answer === null ? null : toCustodyAccess(answer);
    },
    enabled: address !== "" && agentId !== "",
  });

export type Deletion = ResponseOf<typeof getDeletion>;

/** Deletion progress of an agent on chain; never served from cache. */
export const deletionQuery = (address: SignedInWallet, agentId: AgentId | "") =>
  queryOptions({
    queryKey: keysOf(address).deletion(agentId),
    queryFn: () => call(getDeletion, { params: { botId: agentId } }),
    enabled: address !== "" && agentId !== "",
    staleTime: 0,
    gcTime: 0,
  });
