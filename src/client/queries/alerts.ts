import { listAlerts } from "../../contract/alerts.ts";
import type { AgentId } from "../../domain/ids.ts";
import { keysOf } from "./keys.ts";
import { read } from "./read.ts";
import type { SignedInWallet } from "../lib/session.ts";

export const alertsQuery = (address: SignedInWallet, agentId: AgentId | "") =>
  read(keysOf(address).alerts(agentId), listAlerts, agentId && { params: { agentId } });
