import { getCustody, getCustodyAccess, getDeletion } from "../../contract/custody.ts";
import type { ResponseOf } from "../../contract/route.ts";
import type { AgentId } from "../../domain/ids.ts";
import { keysOf } from "./keys.ts";
import { read } from "./read.ts";
import type { SignedInWallet } from "../lib/session.ts";

export type Custody = ResponseOf<typeof getCustody>;

export const custodyQuery = (address: SignedInWallet, agentId: AgentId | "") =>
  read(keysOf(address).custody(agentId), getCustody, agentId && { params: { agentId } });

/** Custody access of an agent: keys, accounts and limits; null before custody exists. */
export const custodyAccessQuery = (address: SignedInWallet, agentId: AgentId | "") =>
  read(
    keysOf(address).custodyAccess(agentId),
    getCustodyAccess,
    agentId && { params: { agentId } },
  );

export type Deletion = ResponseOf<typeof getDeletion>;

/** Deletion progress of an agent on chain; never served from cache. */
export const deletionQuery = (address: SignedInWallet, agentId: AgentId | "") => ({
  ...read(keysOf(address).deletion(agentId), getDeletion, agentId && { params: { agentId } }),
  staleTime: 0,
  gcTime: 0,
});
