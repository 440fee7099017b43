import { queryOptions } from "@tanstack/react-query";
import type { AlertCondition } from "../../domain/condition/condition.ts";
import { listAlerts } from "../../contract/alerts.ts";
import type { AgentId } from "../../domain/ids.ts";
import { call } from "../lib/api.ts";
import { keysOf } from "./keys.ts";
import type { SignedInWallet } from "../lib/session.ts";

/** Alert of an agent. */
export interface Alert {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Condition that fires the alert; absent when it only comes from outside. */
  readonly condition?: AlertCondition;
}

export const alertsQuery = (address: SignedInWallet, agentId: AgentId | "") =>
  queryOptions({
    queryKey: keysOf(address).alerts(agentId),
    queryFn: async () =>
      (await call(listAlerts, { params: { agentId } })).map(({ _id, ...alike }): Alert => ({
        ...alike,
        id: _id,
      })),
    enabled: address !== "" && agentId !== "",
  });
