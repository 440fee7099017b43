import { listRules } from "../../contract/rules.ts";
import type { AgentId } from "../../domain/ids.ts";
import { keysOf } from "./keys.ts";
import { read } from "./read.ts";
import type { SignedInWallet } from "../lib/session.ts";

export const rulesQuery = (address: SignedInWallet, agentId: AgentId | "") =>
  read(keysOf(address).rules(agentId), listRules, agentId && { params: { agentId } });
